import { describe, expect, test } from 'vitest';
import { debugPath, pathIdentity } from '../../src/source/debug-paths.ts';

const under = (root: string, name: string, workingDirectory?: string) =>
  debugPath(name, { debugSourceRoot: root, ...(workingDirectory !== undefined && { workingDirectory }) });

describe('without a root', () => {
  test.each([
    ['shaders/a.hlsl', 'shaders/a.hlsl'],
    ['../x/./a.hlsl', '../x/./a.hlsl'],
    ['/home/me/a.hlsl', 'a.hlsl'],
    ['C:\\work\\a.hlsl', 'a.hlsl'],
    ['\\\\server\\share\\x\\a.hlsl', 'a.hlsl'],
  ])('%s', (name, expected) => {
    expect(debugPath(name, {})).toBe(expected);
  });
});

describe('checklist 44: a root and its edges', () => {
  test.each([
    ['a root', '/src/app', '/src/app/gfx/a.hlsl', 'gfx/a.hlsl'],
    ['a root with a slash at its end', '/src/app/', '/src/app/gfx/a.hlsl', 'gfx/a.hlsl'],
    ['a folder whose name begins with that of the root', '/src/app', '/src/app2/a.hlsl', 'a.hlsl'],
    ['doubled slashes and dots', '/src/app', '/src//app/./gfx/../b.hlsl', 'b.hlsl'],
    ['out of the root by dots', '/src/app', '/src/app/../other/b.hlsl', 'b.hlsl'],
    ['the root of all', '/', '/src/a.hlsl', 'src/a.hlsl'],
    ['drive letters and folders in another case', 'C:\\Work', 'c:/work/Gfx/A.hlsl', 'Gfx/A.hlsl'],
    ['another drive', 'c:/work', 'D:\\work\\a.hlsl', 'a.hlsl'],
    ['a network name', '\\\\Server\\Share\\app', '\\\\server\\share\\App\\x\\a.hlsl', 'x/a.hlsl'],
    ['another network name', '\\\\Server\\Share', '\\\\server\\other\\a.hlsl', 'a.hlsl'],
    ['backslashes in a relative name', '/src/app', 'gfx\\a.hlsl', 'gfx/a.hlsl'],
    ['the root itself', '/src/app', '/src/app', 'app'],
  ])('%s', (_, root, name, expected) => {
    expect(under(root, name, '/src/app')).toBe(expected);
  });

  test('relative names are resolved against the working folder', () => {
    expect(under('/src/app', 'a.hlsl', '/src/app/gfx')).toBe('gfx/a.hlsl');
    expect(under('/src/app', '../../lib/a.hlsl', '/src/app')).toBe('a.hlsl');
    expect(under('.', 'gfx/a.hlsl', '/src/app')).toBe('gfx/a.hlsl');
  });

  test('case counts where the root is no Windows path', () => {
    expect(under('/Src', '/src/a.hlsl')).toBe('a.hlsl');
  });
});

test('two spellings of one file are one', () => {
  const options = { workingDirectory: '/src' };
  expect(pathIdentity('./gfx/../a.hlsl', options)).toBe(pathIdentity('/src/a.hlsl', options));
  expect(pathIdentity('b/a.hlsl', options)).not.toBe(pathIdentity('a.hlsl', options));
});
