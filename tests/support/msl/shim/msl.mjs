// Shared pieces of mslcheck / mslrun: source preparation, lint, clang driver, PCH cache.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, readFileSync, writeFileSync, renameSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
export const here = dirname(fileURLToPath(import.meta.url));
/** What is generated; not in git. */
const recipe = createHash('sha1');
for (const name of ['gen.mjs', 'gen_tail.mjs']) recipe.update(readFileSync(join(here, name)));
// A header that is made anew would not fit the compiled one beside it: each recipe has a folder of its own.
export const built = join(here, '..', '..', '..', 'build', 'msl', recipe.digest('hex').slice(0, 12));

export function findClang() {
  const c = process.env.MSLSHIM_CLANG ? [process.env.MSLSHIM_CLANG] : ['clang-19', 'clang-18', 'clang-17', 'clang-16', 'clang-15', 'clang-14', 'clang'];
  for (const x of c) if (spawnSync(x, ['--version']).status === 0) return x;
  throw new Error('no clang found (set MSLSHIM_CLANG)');
}
const baseFlags = ['-x', 'clcpp', '-cl-std=clc++2021', '-cl-no-stdinc', '-fdeclspec', '-cl-single-precision-constant',
  '-target', 'x86_64-linux-gnu', '-Wno-everything', '-Werror=return-type', '-Wno-invalid-constexpr', '-fno-builtin', '-ffp-contract=off', '-fPIC'];
export function clangFlags() { return [...baseFlags, '-I', join(built, 'include')]; }
export function pch(clang, extra = []) {
  const hdr = join(built, 'include', 'metal_stdlib');
  if (!existsSync(hdr)) execFileSync(process.execPath, [join(here, 'gen.mjs')]);
  const dir = process.env.MSLSHIM_CACHE || join(built, 'cache');
  mkdirSync(dir, { recursive: true });
  const key = createHash('sha1').update(readFileSync(hdr)).update(clang + baseFlags.join(' ') + extra.join(' ') + hdr).digest('hex').slice(0, 12);
  const f = join(dir, `${key}.pch`);
  const lock = `${f}.lock`;
  while (!existsSync(f)) {
    try { mkdirSync(lock); } catch {
      // someone else is building it: wait, but not for ever
      let age = Infinity; try { age = Date.now() - statSync(lock).mtimeMs; } catch {}
      if (age < 300000) { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300); continue; }
    }
    const t = `${f}.${process.pid}.tmp`;
    try { if (!existsSync(f)) { execFileSync(clang, [...clangFlags(), ...extra, '-Xclang', '-emit-pch', '-c', hdr, '-o', t], { stdio: 'inherit' }); renameSync(t, f); } }
    finally { try { rmdirSync(lock); } catch {} }
  }
  return f;
}

// Blank comments and string literals' insides, keeping every newline and column.
export function blank(src) {
  return src.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"/g, (m) => m[0] === '"' ? m : m.replace(/[^\n]/g, ' '));
}
// c ? a : b  ->  c ? _msl_rv(a) : _msl_rv(b).  clang's OpenCL C++ refuses ?: whose arms are an
// lvalue and an rvalue of the same class type; Metal's vectors are builtin types and have no such trouble.
export function ternaries(s) {
  const ins = []; // [pos, text]
  const stack = []; // open brackets and pending ternaries
  const closeArms = (i, pred) => { while (stack.length && stack.at(-1).k === 'b' ) { ins.push([i, ')']); stack.pop(); if (pred && !pred()) break; } };
  for (let i = 0; i < s.length; i++) {
    const c = s[i];
    if (c === '"') { const e = s.indexOf('"', i + 1); if (e < 0) break; i = e; continue; }
    if (c === "'") { const m = /^'(\\.|[^\\'])+'/.exec(s.slice(i, i + 8)); if (m) { i += m[0].length - 1; continue; } }
    if (c === '#' && /(^|\n)[ \t]*$/.test(s.slice(Math.max(0, i - 80), i))) { while (i < s.length && s[i] !== '\n') { if (s[i] === '\\') i++; i++; } continue; }
    if (c === '(' || c === '[' || c === '{') { stack.push({ k: c }); continue; }
    if (c === ')' || c === ']' || c === '}') { closeArms(i); if (stack.length) stack.pop(); continue; }
    if (c === ';' || c === ',') { if (stack.length && stack.at(-1).k === 'b') closeArms(i); continue; }
    if (c === '?') { if (/^\s*\(\(void\)0\)/.test(s.slice(i + 1, i + 40))) { stack.push({ k: 'v' }); continue; } ins.push([i + 1, ' ::_msl_rv(']); stack.push({ k: 'a' }); continue; }
    if (c === ':') {
      if (s[i + 1] === ':' ) { i++; continue; }
      // a ':' first finishes any complete third arms nested inside the second arm
      while (stack.length && stack.at(-1).k === 'b') { ins.push([i, ')']); stack.pop(); }
      if (stack.length && stack.at(-1).k === 'v') { stack.pop(); continue; }
      if (stack.length && stack.at(-1).k === 'a') { stack.pop(); ins.push([i, ')']); ins.push([i + 1, ' ::_msl_rv(']); stack.push({ k: 'b' }); }
    }
  }
  ins.sort((a, b) => a[0] - b[0]);
  let out = '', last = 0;
  for (const [p, t] of ins) { out += s.slice(last, p) + t; last = p; }
  return out + s.slice(last);
}
function matchBrace(s, i) { let d = 0; for (; i < s.length; i++) { if (s[i] === '{') d++; else if (s[i] === '}' && --d === 0) return i; } return -1; }
const keepNL = (t) => t.replace(/[^\n]/g, '');
export function prepare(src, { fc = {} } = {}) {
  let s = blank(src);
  // SPIRV-Cross array wrapper
  const m = /template<typename T, size_t Num>\s*struct spvUnsafeArray\s*\{/.exec(s);
  if (m) { const e = matchBrace(s, m.index + m[0].length - 1); const body = s.slice(m.index, e + 2); s = s.slice(0, m.index) + 'template<typename T, size_t Num> using spvUnsafeArray = ::_msl_array_wrapper<T, Num>;' + keepNL(body) + s.slice(e + 2); }
  s = s.replace(/\[\[\s*(kernel|mesh|object)\s*\]\]/g, ' kernel ').replace(/\[\[\s*(mesh|object|kernel)\s*,/g, ' kernel [[')
       .replace(/\[\[\s*(vertex|fragment)\s*\]\]/g, ' ');
  const given = new Map();
  s = s.replace(/\bconstant\s+([\w:]+)\s+(\w+)\s*\[\[function_constant\((\d+)\)\]\]\s*;/g, (_, t, n, id) => { given.set(n, fc[id] !== undefined); return `constant ${t} ${n} = (${t})(${fc[id] ?? 0});`; });
  s = s.replace(/(?:metal::)?is_function_constant_defined\((\w+)\)/g, (whole, n) => given.has(n) ? String(given.get(n)) : whole);
  s = s.replace(/\)\s*(const\s+)?device(\s+const)?\s*(?=\{)/g, ') $1$2 __global ').replace(/\)\s*(const\s+)?constant(\s+const)?\s*(?=\{)/g, ') const __global ');
  s = s.replace(/\bdevice\s*\(\s*\w+\s*\)/g, 'device');
  s = s.replace(/\bvolatile\b/g, '        ');
  s = s.replace(/\bcoherent\s*\(\s*\w+\s*\)/g, ' ').replace(/\bcoherent\b(?=\s+(device|volatile|const))/g, ' ');
  s = s.replace(/\btemplate\s*<[^<>{};]*>/g, (t) => t.replace(/\buint (?=\w+)/g, 'int '));
  s = s.replace(/\[\[\s*(\w+\(\w+\))\s+(\w+\(\w+\))\s*\]\]/g, '[[$1, $2]]');
  return ternaries(s);
}

// ---- lint: rules Metal has that clang in OpenCL C++ mode does not enforce
const BASETYPES = 'void|bool|char|uchar|short|ushort|int|uint|long|ulong|half|float|size_t|u?int(?:8|16|32|64)_t|(?:packed_)?(?:bool|u?char|u?short|u?int|u?long|half|float)[234]|(?:half|float)[234]x[234]|atomic_\\w+|atomic<\\w+>|vec<[^<>]*>|array<[^;{}()]*?>|spvUnsafeArray<[^;{}()]*?>';
const LIMITS = { buffer: 30, texture: 127, sampler: 15 };
export function lint(src, file = 'in.metal') {
  const out = []; const s = blank(src);
  const lines = s.split('\n');
  // honour #line when reporting
  const where = (pos) => { const n = s.slice(0, pos).split('\n').length; return `${file}:${n}`; };
  const err = (pos, msg, sev = 'error') => out.push({ pos, msg: `${where(pos)}: ${sev}: ${msg} [lint]`, sev });
  const structs = new Map();
  for (const m of s.matchAll(/\bstruct\s+(?:alignas\(\w+\)\s*)?(\w+)\s*(?::[^{;]*)?\{/g)) {
    const b = m.index + m[0].length - 1, e = matchBrace(s, b); structs.set(m[1], { pos: m.index, body: s.slice(b + 1, e), b });
  }
  const types = `(?:metal::)?(?:${BASETYPES}${structs.size ? '|' + [...structs.keys()].join('|') : ''})`;
  // 1. pointers and references must name an address space
  const re = new RegExp(`(^|[(,;{}<]|\\bstatic\\b|\\binline\\b)(\\s*(?:(?:const|volatile|static|inline|restrict|\\w*_inline\\)*)\\s+)*)((?:(?:device|constant|threadgroup|thread|object_data|ray_data|threadgroup_imageblock)\\s+(?:const\\s+|volatile\\s+)*)?)(${types})((?:\\s+(?:const|volatile|device|constant|threadgroup|thread|object_data|ray_data))*)\\s*([*&])\\s*(?:const\\s+|restrict\\s+|__restrict\\s+)*(\\w+)?\\s*(?=[,)=;\\[({]|\\s)`, 'gm');
  for (const m of s.matchAll(re)) {
    if (/\b(device|constant|threadgroup|thread|object_data|ray_data)\b/.test(m[3] + m[5])) continue;
    if (m[6] === '&' && s[m.index + m[0].length] === '&') continue;
    err(m.index + m[1].length, `${m[6] === '*' ? 'pointer' : 'reference'} to '${m[4]}'${m[7] ? ` ('${m[7]}')` : ''} has no address space`);
  }
  // 2. entry points
  const entries = [];
  for (const m of s.matchAll(/(?:\b(kernel|vertex|fragment)\b|\[\[\s*(kernel|vertex|fragment|mesh|object)\b[^\]]*\]\])\s*(?:\[\[[^\]]*\]\]\s*)*([\w:<>,\s]*?)\s*\b(\w+)\s*\(/g)) {
    if (/^\s*$/.test(m[3]) || /[;{}]/.test(m[3])) continue;
    const stage = m[1] || m[2]; let i = m.index + m[0].length, d = 1; const st = i;
    for (; i < s.length && d; i++) { if (s[i] === '(') d++; if (s[i] === ')') d--; }
    const raw = s.slice(st, i - 1); if (!/[{;]/.test(s.slice(i).trimStart()[0] || '') ) { /* attributes may follow */ }
    const params = splitTop(raw).filter((x) => x.trim());
    const e = { stage, ret: m[3].trim(), name: m[4], params, pos: m.index }; entries.push(e);
    if (m[4] === 'main') err(m.index, `entry point may not be called 'main'`);
    const used = {};
    for (const p of params) {
      const at = [...p.matchAll(/\[\[(.*?)\]\]/g)].map((x) => x[1]).join(',');
      if (!at) { if (!/threadgroup_imageblock|imageblock<|\bthreadgroup\b|\bspvMesh|\bmesh<|mesh_grid_properties|[mM]esh\w*_t\b/.test(p)) err(m.index, `parameter '${p.trim().replace(/\s+/g, ' ')}' of entry '${m[4]}' has no attribute`); continue; }
      for (const a of at.matchAll(/\b(buffer|texture|sampler|threadgroup)\((\d+)\)/g)) {
        const k = `${a[1]}(${a[2]})`, lim = LIMITS[a[1]];
        const fcd = /function_constant/.test(at);
        if (used[k] && !fcd && !used[k].fcd) err(m.index, `'${k}' used twice in entry '${m[4]}'`); used[k] = { fcd };
        if (lim !== undefined && +a[2] > lim) err(m.index, `${k} is over Metal's limit of ${lim}`);
        if (a[1] === 'buffer' && !/[*&]/.test(p) && !/acceleration_structure|_table|\[\[/.test(p.split('[[')[0])) err(m.index, `buffer parameter '${p.trim()}' is neither pointer nor reference`);
      }
      const si = /^\s*(?:const\s+)?([\w:]+)\s+\w+\s*\[\[stage_in\]\]/.exec(p);
      if (si && structs.has(si[1])) {
        const S = structs.get(si[1]); const seen = new Set();
        for (const mem of members(S.body)) {
          const aa = mem.attrs;
          if (stage === 'vertex' && !/patch/.test(s.slice(Math.max(0, m.index - 60), m.index + m[0].length))) { const x = /\battribute\((\w+)\)/.exec(aa); if (!x) { if (!/vertex_id|instance_id|base_|amplification/.test(aa)) err(S.pos, `vertex input '${si[1]}::${mem.name}' has no [[attribute(n)]]`); }
            else { if (seen.has(x[1])) err(S.pos, `attribute(${x[1]}) used twice in '${si[1]}'`); seen.add(x[1]); } }
          else if (stage === 'fragment') { const x = /\buser\((\w+)\)/.exec(aa); if (x) { if (seen.has(x[1])) err(S.pos, `user(${x[1]}) used twice in '${si[1]}'`); seen.add(x[1]); }
            if (!/\bflat\b/.test(aa) && /^(?:metal::)?(u?int|u?short|u?long|u?char|bool)[234]?$/.test(mem.type) && !/sample_id|primitive_id|front_facing|viewport_array_index|render_target_array_index|point_coord|amplification|color\(|sample_mask|viewport|layer/.test(aa)) err(S.pos, `integer fragment input '${si[1]}::${mem.name}' must be [[flat]]`, 'warning'); }
          if (/^(?:metal::)?(?:float|half)[234]x[234]$/.test(mem.type)) err(S.pos, `stage input '${si[1]}::${mem.name}' is a matrix`);
        }
      }
    }
    if (stage === 'kernel' && !/^void$/.test(e.ret)) err(m.index, `kernel '${m[4]}' must return void`);
    const rs = structs.get(e.ret.replace(/.*\s/, ''));
    if (stage === 'vertex' && rs) { const n = members(rs.body).filter((x) => /\bposition\b/.test(x.attrs)).length; if (n > 1) err(rs.pos, `more than one [[position]] in '${e.ret}'`); if (n === 0) err(rs.pos, `vertex output '${e.ret}' has no [[position]]`, 'warning'); }
    if (stage === 'fragment' && rs) { const seen = new Set(); for (const mem of members(rs.body)) { const x = /color\((\d+)\)/.exec(mem.attrs); const key = x && x[1] + (/index\((\d+)\)/.exec(mem.attrs)?.[1] ?? ''); if (x) { if (+x[1] > 7) err(rs.pos, `color(${x[1]}) is over Metal's limit of 7`); if (seen.has(key)) err(rs.pos, `color(${x[1]}) used twice`); seen.add(key); } else if (!/depth|sample_mask|stencil|raster_order|color\(\w+\)/.test(mem.attrs)) err(rs.pos, `fragment output '${mem.name}' has no attribute`); } }
  }
  // 3. words
  for (const m of s.matchAll(/\b(double[234]?|goto|dynamic_cast|typeid|throw|try|catch|new|delete|virtual|asm|__asm__)\b/g)) err(m.index, `'${m[1]}' is not available in Metal`);
  for (const m of s.matchAll(/\bmemory_order_(acquire|release|acq_rel|seq_cst|consume)\b/g)) if (!/atomic_thread_fence\s*\([^)]*$/.test(s.slice(Math.max(0, m.index - 120), m.index)) && m[1] !== 'x') err(m.index, `memory_order_${m[1]} on an atomic: Metal atomics take only memory_order_relaxed`);
  // 4. program-scope variables must be constant
  { let d = 0, i = 0, stmt = 0; const t = s.replace(/^[ \t]*#[^\n]*/gm, (x) => x.replace(/[^\n]/g, ' '));
    for (; i < t.length; i++) { const c = t[i]; if (c === '{' || c === '(') d++; else if (c === '}' || c === ')') { d--; if (d === 0 && c === '}') { const rest = t.slice(i + 1).trimStart()[0]; if (rest !== ';' && rest !== ',') stmt = i + 1; } } else if (c === ';' && d === 0) {
      const st = t.slice(stmt, i).trim(); if (st && !/^(using|typedef|struct|enum|union|class|template|namespace|extern|static_assert)\b/.test(st) && !/\b(constant|sampler)\b/.test(st) && !/\)\s*(\[\[[^\]]*\]\]\s*)*(const|thread|device|constant)?\s*$/.test(st) && /^(static\s+|const\s+|constexpr\s+|inline\s+)*[\w:<>, ]+\s+\w+\s*(\[|=|$|\{)/.test(st)) err(stmt + t.slice(stmt).search(/\S/), `program-scope variable '${st.split('\n').pop().slice(0, 60)}' is not in the constant address space`);
      stmt = i + 1; } } }
  return { diags: out, entries, structs };
}
export function splitTop(s) { const r = []; let d = 0, a = 0, st = 0; for (let i = 0; i < s.length; i++) { const c = s[i]; if ('([{'.includes(c)) d++; else if (')]}'.includes(c)) d--; else if (c === '<') a++; else if (c === '>') a = Math.max(0, a - 1); else if (c === ',' && !d && !a) { r.push(s.slice(st, i)); st = i + 1; } } r.push(s.slice(st)); return r; }
export function members(body) {
  const r = []; if (/\)\s*(const|thread|device|constant)?\s*\{/.test(body)) body = body.replace(/[^;{}]*\([^;{}]*\)[^;{}]*\{[^{}]*\}/g, '');
  for (const st of body.split(';')) {
    const attrs = [...st.matchAll(/\[\[(.*?)\]\]/g)].map((x) => x[1]).join(',');
    const t = st.replace(/\[\[.*?\]\]/g, ' ').trim(); const m = /^([\s\S]+?)\s*([*&]?)\s*(\w+)\s*((?:\[[^\]]*\]\s*)*)$/.exec(t);
    if (m) r.push({ type: m[1].trim() + m[2], name: m[3], array: m[4].trim(), attrs });
  } return r;
}
// lowest MSL version that the text needs, by feature
const FEATURES = [[/\batomic_float\b|\bmesh<|\[\[\s*(mesh|object)\b|\bobject_data\b/, 300], [/\.atomic_(fetch|load|store|exchange|compare)/, 310], [/\bbfloat/, 310], [/\bcoherent\b/, 320], [/thread_scope_/, 320], [/\binterpolant</, 230], [/barycentric_coord/, 220], [/\braytracing\b/, 230], [/intersection_query</, 240], [/\bsimd_(sum|min|max|product|and|or|xor|prefix)/, 210], [/\bsimd_(shuffle|broadcast|ballot|all|any|vote)/, 200], [/primitive_id\]\]/, 220], [/\barray_ref<|\barray<texture/, 200], [/\[\[id\(/, 200], [/atomic_ulong/, 240], [/\[\[invariant\]\]|position, invariant/, 210], [/\[\[visible\]\]|visible_function_table/, 230], [/amplification_id/, 210], [/texture2d_ms_array/, 210], [/texture_buffer/, 210], [/min_lod_clamp/, 220]];
export function minVersion(src) { const s = blank(src); let v = 100; const why = []; for (const [re, n] of FEATURES) { const m = re.exec(s); if (m) { if (n > v) v = n; why.push(`${m[0].trim()}:${n / 100}`); } } return { v, why }; }

export function syntax(files, { clang = findClang(), extra = [] } = {}) {
  return spawnSync(clang, [...clangFlags(), ...extra, '-Xclang', '-include-pch', '-Xclang', pch(clang), '-fsyntax-only', '-ferror-limit=30', ...files], { encoding: 'utf8', maxBuffer: 1 << 26 });
}
