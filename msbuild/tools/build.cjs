// What MSBuild starts. It is written for any Node, so that one too old for the compiler is told apart by its exit code (the targets
// know it) instead of by a syntax error.
var version = process.version;
if (parseInt(version.slice(1), 10) < 20) {
  console.log(version);
  process.exitCode = 86;
} else {
  require('./oneshader.cjs');
}
