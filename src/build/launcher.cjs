#!/usr/bin/env node
// Starts the bundle from V8's code cache where there is one: that saves half the start-up. The cache is made after the
// first run and a rehearsal, so that it holds the functions which runs call, and it is keyed by what V8 checks anyway.
// Where it cannot be read or written (a read-only package folder), the command starts without it.
'use strict';
// A run is short: V8 would spend up to half of it on optimizing functions that are done before that pays.
require('node:v8').setFlagsFromString('--interrupt-budget=1000000');
const { readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const vm = require('node:vm');

const file = __dirname + '/main.cjs';
// The bundle is ASCII, which latin1 reads fastest; the head is what Module.wrap gives, without loading node:module.
const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`;
const cacheFile = `${__dirname}/main.${process.version}-${process.arch}-${Math.trunc(statSync(file).mtimeMs)}.cache`;
let cachedData;
try {
  cachedData = readFileSync(cacheFile);
} catch {}
const script = new vm.Script(source, { filename: file, cachedData });
const bundle = { exports: {} };
script.runInThisContext()(bundle.exports, require, bundle, file, __dirname);
process.exitCode = bundle.exports.main(process.argv.slice(2));
if (!cachedData || script.cachedDataRejected) {
  try {
    bundle.exports.rehearse();
    const temporary = `${cacheFile}.${process.pid}`;
    writeFileSync(temporary, script.createCachedData());
    renameSync(temporary, cacheFile);
  } catch {}
}
