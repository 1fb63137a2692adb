/** What the C# of a target framework has: its language version by default, and its library. */

export interface Features {
  /** `ReadOnlySpan<T>`, and System.Numerics with the float vectors. */
  spans: boolean;
  /** Arrays of every integer type as static data, not only of bytes, and UTF-8 literals (C# 11). */
  wideData: boolean;
  /** `[InlineArray]` (C# 12). */
  inlineArrays: boolean;
  /** System.Half. */
  half: boolean;
}

/**
 * Reads a TargetFramework as MSBuild spells it: `net8.0`, `net9.0-windows`, `netcoreapp3.1`, `netstandard2.0`, `net48`. What is
 * not known is taken for the oldest.
 */
export function featuresOf(targetFramework: string): Features {
  const [, kind, version] =
    /^(netstandard|netcoreapp|net)(\d+\.\d+)(?:-.*)?$/.exec(targetFramework.trim().toLowerCase()) ?? [];
  const number = Number(version ?? 0);
  // `net4.8` is .NET Framework, as is `net48`.
  const net = kind === 'net' && number >= 5 ? number : 0;
  return {
    spans: net > 0 || kind === 'netcoreapp' ? number >= 2.1 : kind === 'netstandard' && number >= 2.1,
    wideData: net >= 7,
    inlineArrays: net >= 8,
    half: net >= 5,
  };
}
