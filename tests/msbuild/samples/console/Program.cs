// Prints what the build made of the shaders, one fact a line; with a folder as argument the blobs are written there.
using System;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;
using Sample.Shaders;

void Blob(string name, ReadOnlySpan<byte> bytes, string extension = "spv")
{
    Console.WriteLine($"blob {name}.{extension} {bytes.Length} {Convert.ToHexString(SHA256.HashData(bytes))}");
    if (args.Length > 0) File.WriteAllBytes(Path.Combine(args[0], $"{name}.{extension}"), bytes.ToArray());
}

Blob("SkyPs", SkyPs.Spirv);
Blob("SkyPs", Encoding.UTF8.GetBytes(SkyPs.Msl), "metal");
Blob("Mesh", Mesh.Spirv);
Blob("Particles.Move", Particles.Move.Spirv);
Blob("Particles.Reset", Particles.Reset.Spirv);
Blob("BlurCs.Small", BlurCs.Small.Spirv);
Blob("BlurCs.Wide", BlurCs.Wide.Spirv);

Console.WriteLine($"entry SkyPs {SkyPs.EntryPoint} {SkyPs.Stage}");
Console.WriteLine($"entry Mesh {Mesh.EntryPoint} {Mesh.Stage}");
Console.WriteLine($"threads Move {Particles.Move.ThreadGroupSizeX} {Particles.Move.ThreadGroupSizeY} {Particles.Move.ThreadGroupSizeZ}");
Console.WriteLine($"threads Reset {Particles.Reset.ThreadGroupSizeX} {Particles.Reset.ThreadGroupSizeY} {Particles.Reset.ThreadGroupSizeZ}");
Console.WriteLine($"public {string.Join(' ', typeof(SkyPs).Assembly.GetExportedTypes().Select(type => type.FullName).Where(name => !name!.Contains('+')).Order())}");

foreach (Type type in typeof(SkyPs).Assembly.GetTypes().OrderBy(type => type.FullName, StringComparer.Ordinal))
{
    if (!type.IsValueType || !type.IsExplicitLayout || type.Namespace != "Sample.Shaders") continue;
    Console.WriteLine($"struct {type.FullName} {Marshal.SizeOf(type)}");
    foreach (FieldInfo field in type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic))
        Console.WriteLine($"field {type.FullName}.{field.Name} {Marshal.OffsetOf(type, field.Name)}");
}

foreach (Type type in typeof(SkyPs).Assembly.GetTypes().OrderBy(type => type.FullName, StringComparer.Ordinal))
{
    if (type.DeclaringType?.Name != "Bindings") continue;
    foreach (FieldInfo field in type.GetFields(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic))
        Console.WriteLine($"binding {type.FullName}.{field.Name} {field.GetRawConstantValue()}");
}
