#!/usr/bin/env node
// Starts the bundle from V8's code cache where there is one: that saves half the start-up. The cache is made after the
// first run, so that it holds the functions which a run compiles, and it is keyed by what V8 checks anyway. Where it
// cannot be read or written (a read-only package folder), the command starts without it.
'use strict';
const { readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const vm = require('node:vm');
const Module = require('node:module');

const file = __dirname + '/main.cjs';
const source = Module.wrap(readFileSync(file, 'utf8'));
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
    const temporary = `${cacheFile}.${process.pid}`;
    writeFileSync(temporary, script.createCachedData());
    renameSync(temporary, cacheFile);
  } catch {}
}
