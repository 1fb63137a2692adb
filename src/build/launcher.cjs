#!/usr/bin/env node
// Starts a bundle from V8's code cache where there is one: that saves half the start-up. The cache is made after the
// first run and a rehearsal, so that it holds the functions which runs call, and it is keyed by what V8 checks anyway.
// V8 reads a cache as a whole, so runs without the optimizer have one of their own, which saves them 1.5 ms.
// Where it cannot be read or written (a read-only package folder), the command starts without it.
// plain.cjs is what a compilation to a SPIR-V file needs; it hands other calls on to everything.cjs, the whole command.
'use strict';
const [first = ''] = process.argv.slice(2);
const isBatch = first.startsWith('--batch');
const isOptimized = !process.argv.some((word) => ['-Od', '/Od', '-O0', '/O0'].includes(word));
// A run is short: V8 would spend up to half of it on optimizing functions that are done before that pays. Batches gain, too: 200
// shaders take 3.1 s in place of 4.4. V8's default, 400,000 and 3,000,000 cost more or the same from 200 to 20,000 lines.
require('node:v8').setFlagsFromString('--interrupt-budget=1000000');
const { closeSync, openSync, readSync, renameSync, statSync, writeFileSync } = require('node:fs');
const vm = require('node:vm');

const unsaved = [];
function load(name) {
  const file = `${__dirname}/${name}.cjs`;
  const { size, mtimeMs } = statSync(file);
  const kind = `${name}${isOptimized ? '' : '-Od'}.${process.version}-${process.arch}`;
  const cacheFile = `${__dirname}/${kind}-${Math.trunc(mtimeMs)}.cache`;
  const cacheSize = statSync(cacheFile, { throwIfNoEntry: false })?.size ?? 0;
  // Both are read into the same memory, for the first use of memory is what takes the time.
  const buffer = Buffer.allocUnsafeSlow(Math.max(size, cacheSize));
  // The bundle is ASCII, which latin1 reads fastest. It is the body of a function already: see build.mjs.
  const source = buffer.toString('latin1', 0, read(file, buffer));
  let cachedData;
  try {
    if (cacheSize > 0) cachedData = buffer.subarray(0, read(cacheFile, buffer));
  } catch {}
  const script = new vm.Script(source, { filename: file, cachedData });
  const { exports } = script.runInThisContext()(require);
  if (!cachedData || script.cachedDataRejected) unsaved.push({ exports, script, cacheFile });
  return exports;
}
function read(file, buffer) {
  const descriptor = openSync(file);
  const size = readSync(descriptor, buffer);
  closeSync(descriptor);
  return size;
}
const { main } = load(isBatch ? 'everything' : 'plain');
process.exitCode = main(
  process.argv.slice(2),
  isBatch ? undefined : () => load('everything').main,
  __dirname,
);
// The threads of a batch leave this to the first one.
for (const { exports, script, cacheFile } of first === '--batch-worker' ? [] : unsaved) {
  try {
    exports.rehearse(isOptimized);
    const temporary = `${cacheFile}.${process.pid}`;
    writeFileSync(temporary, script.createCachedData());
    renameSync(temporary, cacheFile);
  } catch {}
}
// Nothing is left to be written: the process ends without taking its heap apart first, which saves 2 ms.
if (!isBatch && process.getActiveResourcesInfo().length === 0) process.exit();
