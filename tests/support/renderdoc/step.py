#!/usr/bin/python3
"""Steps a shader of a RenderDoc capture headless and prints what a user of the debugger would see.

  step.py CAPTURE.rdc --pixel X,Y | --vertex N | --thread GX,GY,GZ:TX,TY,TZ [options]

Prints one JSON document: the shader's embedded source files, whether RenderDoc reports source debugging, the errors it logged,
and one entry per source-level step (file, line, call stack, source variables).
Exit status: 0 stepped with source information; 1 bad arguments or unreadable capture; 2 this machine cannot replay the capture;
3 RenderDoc cannot debug this shader; 4 no source debugging information. The reason goes to stderr.

Runs under the Python that RenderDoc's module was built for, the system's.
"""
import argparse
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile

try:
    import renderdoc as rd
except ImportError as e:
    sys.stderr.write("step: the Python module of RenderDoc cannot be loaded (%s); "
                     "install python3-renderdoc and use /usr/bin/python3\n" % e)
    sys.exit(2)

BAD_INPUT, NO_REPLAY, NO_DEBUG, NO_SOURCE = 1, 2, 3, 4


class Failure(Exception):
    def __init__(self, status, message):
        Exception.__init__(self, message)
        self.status = status


def ok(result):
    """True for the success value of any RenderDoc version's result type."""
    code = getattr(result, "code", result)
    return code == rd.ResultCode.Succeeded if hasattr(rd, "ResultCode") else int(code) == 0


def uints(text, count, what):
    try:
        vals = [int(x) for x in text.split(",")]
    except ValueError:
        vals = []
    if len(vals) != count or min(vals) < 0:
        raise Failure(BAD_INPUT, "%s wants %d numbers separated by commas, not '%s'" % (what, count, text))
    return vals


# --- values ---------------------------------------------------------------------------------
# RenderDoc's objects die with the list that owns them, so every variable is copied at once.

VIEWS = {"Float": "f32v", "Double": "f64v", "Half": "f16v", "SInt": "s32v", "UInt": "u32v",
         "SLong": "s64v", "ULong": "u64v", "SShort": "s16v", "UShort": "u16v", "SByte": "s8v",
         "UByte": "u8v", "Bool": "u32v", "Enum": "u32v", "GPUPointer": "u64v"}


UNWRITTEN = 0xcccccccc  # RenderDoc fills variables with this before the first store


def type_name(t):
    return getattr(t, "name", None) or str(t).split(".")[-1]


class Var(object):
    """A copy of a ShaderVariable."""

    def __init__(self, v):
        self.name = v.name
        self.type = type_name(v.type)
        self.rows, self.columns = v.rows, v.columns
        self.members = [Var(m) for m in v.members]
        self.raw = {}
        if not self.members:
            view = VIEWS.get(self.type, "u32v")
            n = min(16, max(1, v.rows * v.columns))
            for name in {view, "u32v", "s32v", "f32v"}:
                self.raw[name] = [getattr(v.value, name)[i] for i in range(n)]

    def component(self, index, as_type):
        """One scalar; as_type is the type that the debug information gives (may be unknown)."""
        t = as_type if as_type in VIEWS else self.type
        view = VIEWS.get(t, "u32v")
        vals = self.raw.get(view) or self.raw.get(VIEWS.get(self.type, "u32v"), [])
        if index >= len(vals):
            return None
        x = vals[index]
        words = self.raw.get("u32v", [])
        if VIEWS.get(t, "u32v") in ("u32v", "s32v", "f32v") and index < len(words) and words[index] == UNWRITTEN:
            return "unwritten"
        if t == "Bool":
            return bool(x)
        if isinstance(x, float):
            if math.isnan(x) or math.isinf(x):
                return str(x)
            return float("%.7g" % x)
        return x

    def plain(self):
        if self.members:
            if all(m.name.startswith("[") for m in self.members):
                return [m.plain() for m in self.members]
            return {m.name: m.plain() for m in self.members}
        vals = [self.component(i, self.type) for i in range(max(1, self.rows) * max(1, self.columns))]
        return shape(vals, self.rows, self.columns)

    def find(self, path):
        """Follow a path such as '.member[2]' into this variable."""
        if not path:
            return self
        for m in self.members:
            for form in (m.name, "." + m.name):
                if path.startswith(form) and (len(path) == len(form) or path[len(form)] in ".["):
                    return m.find(path[len(form):])
        return None


def shape(vals, rows, columns):
    if rows > 1:
        return [vals[r * columns:(r + 1) * columns] for r in range(rows)]
    return vals[0] if columns <= 1 and vals else vals


def lookup(variables, name):
    if name in variables:
        return variables[name]
    m = re.match(r"[^.\[]+", name)
    root = variables.get(m.group(0)) if m else None
    return root.find(name[m.end():]) if root else None


def source_value(sv, tables):
    """(value, problem) of a SourceVariableMapping."""
    t = type_name(sv.type)
    parts, missing = [], []
    for ref in sv.variables:
        kind = type_name(ref.type)
        var = lookup(tables.get(kind, {}), ref.name)
        if var is None:
            missing.append(ref.name)
            parts.append(None)
        elif var.members:
            return var.plain(), None
        else:
            parts.append(var.component(ref.component, t))
    if not parts:
        return None, "no storage"
    if all(p is None for p in parts):
        return None, "undefined (%s)" % ", ".join(sorted(set(missing))) if missing else "undefined"
    return shape(parts, sv.rows, sv.columns), None


# --- stepping ---------------------------------------------------------------------------------

def actions(roots):
    for a in roots:
        yield a
        for x in actions(a.children):
            yield x


def pick_action(ctrl, want, event):
    drawcall = getattr(rd.ActionFlags, "Drawcall") | getattr(rd.ActionFlags, "MeshDispatch", 0)
    mask = rd.ActionFlags.Dispatch if want == "compute" else drawcall
    found = [a.eventId for a in actions(ctrl.GetRootActions()) if a.flags & mask]
    if event is not None:
        if event not in found:
            raise Failure(BAD_INPUT, "event %d is not a %s action; there are: %s" % (event, want, found))
        return event
    if not found:
        raise Failure(BAD_INPUT, "the capture has no %s action" % want)
    return found[-1]


def begin(ctrl, args):
    none = rd.ReplayController.NoPreference
    if args.pixel:
        x, y = uints(args.pixel, 2, "--pixel")
        if hasattr(rd, "DebugPixelInputs"):  # RenderDoc 1.34 and later
            inputs = rd.DebugPixelInputs()
            return ctrl.DebugPixel(x, y, inputs)
        return ctrl.DebugPixel(x, y, none, none)
    if args.vertex is not None:
        return ctrl.DebugVertex(args.vertex, args.instance, args.index if args.index is not None else args.vertex, 0)
    g, _, t = args.thread.partition(":")
    return ctrl.DebugThread(tuple(uints(g, 3, "--thread")), tuple(uints(t, 3, "--thread")))


def info_lookup(trace):
    infos = [(i.instruction, i) for i in trace.instInfo]
    keys = [k for k, _ in infos]
    import bisect

    def find(instruction):  # as RenderDoc's own viewer does: the first entry at or after
        at = bisect.bisect_left(keys, instruction)
        return infos[at][1] if at < len(infos) else None
    return find


def run(ctrl, trace, files, args):
    find = info_lookup(trace)
    tables = {"Variable": {}, "Input": {}, "Constant": {}}
    for v in trace.inputs:
        tables["Input"][v.name] = Var(v)
    for v in trace.constantBlocks:
        tables["Constant"][v.name] = Var(v)
    live = tables["Variable"]

    steps, lines_hit = [], []
    counts = {"states": 0, "mapped": 0, "unmapped": 0, "no_callstack": 0}
    last_key = None
    ended = False
    while not ended:
        states = ctrl.ContinueDebug(trace.debugger)
        if not states:
            break
        for s in states:
            for c in s.changes:
                before, after = c.before.name, c.after.name
                if after:
                    live[after] = Var(c.after)
                elif before:
                    live.pop(before, None)
            counts["states"] += 1
            if counts["states"] > args.max_states:
                raise Failure(NO_DEBUG, "gave up after %d instructions: the shader does not end" % args.max_states)
            info = find(s.nextInstruction)
            li = info.lineInfo if info else None
            stack = list(s.callstack)
            if li is None or li.fileIndex < 0 or li.lineStart == 0:
                counts["unmapped"] += 1
                if not args.instructions:
                    continue
            else:
                counts["mapped"] += 1
                if not stack:
                    counts["no_callstack"] += 1
            place = None
            if li is not None and li.fileIndex >= 0:
                place = (li.fileIndex, li.lineStart, li.lineEnd, li.colStart, li.colEnd)
            # RenderDoc's viewer stops again only when the source location changes
            if not args.instructions and place == last_key:
                # stay on the same stop, but a call on the same line may have deepened the stack
                continue
            last_key = place
            step = {"step": len(steps), "state": s.stepIndex, "instruction": s.nextInstruction,
                    "file": files[place[0]]["name"] if place and place[0] < len(files) else None,
                    "line": place[1] if place else None}
            if place and place[2] != place[1]:
                step["lineEnd"] = place[2]
            if place and place[3]:
                step["column"] = place[3]
                step["columnEnd"] = place[4]
            if place and place[0] < len(files):
                text = files[place[0]]["_lines"]
                step["text"] = text[place[1] - 1].strip() if place[1] <= len(text) else None
            step["callstack"] = stack
            step["variables"] = {}
            for sv in list(info.sourceVars if info else []):
                value, problem = source_value(sv, tables)
                entry = {"type": describe(sv), "value": value}
                if problem:
                    entry["problem"] = problem
                name = sv.name
                while name in step["variables"]:
                    name += "'"
                step["variables"][name] = entry
            step["globals"] = {}
            for sv in trace.sourceVars:  # statics, groupshared and outputs, which change on the way
                if all(type_name(r.type) == "Variable" for r in sv.variables):
                    value, problem = source_value(sv, tables)
                    step["globals"][sv.name] = {"type": describe(sv), "value": value if not problem else problem}
            flags = int(s.flags)
            if flags:
                step["events"] = flags
            steps.append(step)
            if step["file"]:
                lines_hit.append((step["file"], step["line"]))
    return steps, lines_hit, counts


def describe(sv):
    t = type_name(sv.type).lower()
    if sv.rows > 1:
        return "%s%dx%d" % (t, sv.rows, sv.columns)
    return "%s%d" % (t, sv.columns) if sv.columns > 1 else t


def log_errors(path):
    """The distinct errors in RenderDoc's log, oldest first, with their counts."""
    counts = {}
    try:
        with open(path, errors="replace") as f:
            for line in f:
                m = re.search(r"\]\s*(\S+?)\(\s*\d+\) - (?:Error|Fatal)\s*- (.*)", line)
                if m:
                    text = "%s: %s" % (m.group(1), m.group(2).strip())
                    counts[text] = counts.get(text, 0) + 1
    except OSError:
        pass
    return ["%s (%d times)" % (t, n) if n > 1 else t for t, n in counts.items()]


def debug(args):
    capture = rd.OpenCaptureFile()
    ctrl = trace = None
    try:
        if not os.path.isfile(args.capture):
            raise Failure(BAD_INPUT, "no such capture: " + args.capture)
        result = capture.OpenFile(args.capture, "", None)
        if not ok(result):
            raise Failure(BAD_INPUT, "RenderDoc cannot open %s: %s" % (args.capture, result))
        if not capture.LocalReplaySupport():
            raise Failure(NO_REPLAY, "RenderDoc says that this capture cannot be replayed on this machine")
        result, ctrl = capture.OpenCapture(rd.ReplayOptions(), None)
        if not ok(result):
            raise Failure(NO_REPLAY, "the capture does not replay on this machine: %s" % result)
        props = ctrl.GetAPIProperties()
        if not props.shaderDebugging:
            raise Failure(NO_REPLAY, "RenderDoc says that this driver does not support shader debugging")

        stage = "compute" if args.thread else "graphics"
        event = pick_action(ctrl, stage, args.event)
        ctrl.SetFrameEvent(event, True)
        pipe = ctrl.GetPipelineState()
        st = rd.ShaderStage.Compute if args.thread else rd.ShaderStage.Vertex if args.vertex is not None else rd.ShaderStage.Pixel
        refl = pipe.GetShaderReflection(st)
        if refl is None:
            raise Failure(BAD_INPUT, "no %s shader is bound at event %d" % (type_name(st), event))
        info = refl.debugInfo
        files = []
        for f in info.files:
            lines = f.contents.split("\n")
            files.append({"name": f.filename, "bytes": len(f.contents.encode("utf-8")),
                          "lines": len(lines), "_lines": lines})
        flags = {f.name: f.value for f in info.compileFlags.flags}
        doc = {"capture": os.path.basename(args.capture), "event": event, "stage": type_name(st),
               "entry": pipe.GetShaderEntryPoint(st), "renderdoc": rd.GetVersionString(),
               "debuggable": bool(info.debuggable), "debugStatus": info.debugStatus,
               "sourceDebugging": bool(info.sourceDebugInformation),
               "encoding": type_name(info.encoding), "compiler": type_name(info.compiler),
               "commandLine": flags.get("@cmdline"),
               "entryLocation": {"file": info.entryLocation.fileIndex, "line": info.entryLocation.lineStart},
               "files": files}
        if not info.debuggable:
            raise Failure(NO_DEBUG, "RenderDoc cannot debug this shader: %s" % (info.debugStatus or "no reason given"))
        if not info.sourceDebugInformation:
            raise Failure(NO_SOURCE, "the shader carries no source debugging information "
                          "(no NonSemantic.Shader.DebugInfo.100 with an embedded file); embedded files: %s"
                          % ([f["name"] for f in files] or "none"))
        if info.sourceDebugInformation and not any(f["bytes"] for f in files):
            raise Failure(NO_SOURCE, "the debug information names files but embeds no source text: %s" % [f["name"] for f in files])
        trace = begin(ctrl, args)
        if trace is None or trace.debugger is None:
            raise Failure(NO_DEBUG, "RenderDoc returned no trace: nothing was drawn at that pixel, the vertex or "
                          "thread is out of range, or the driver lacks a feature (see %s)" % rd.GetLogFile())
        steps, lines_hit, counts = run(ctrl, trace, files, args)
        doc["counts"] = counts
        doc["linesHit"] = {f["name"]: sorted({l for n, l in lines_hit if n == f["name"]}) for f in files}
        doc["renderdocErrors"] = log_errors(args.log or rd.GetLogFile())
        doc["steps"] = steps
        for f in files:
            del f["_lines"]
        if not lines_hit:
            raise Failure(NO_SOURCE, "stepped %d instructions, none of them mapped to a source line" % counts["states"])
        return doc
    finally:
        if trace is not None:
            ctrl.FreeTrace(trace)
        if ctrl is not None:
            ctrl.Shutdown()
        capture.Shutdown()


def main():
    p = argparse.ArgumentParser(description="Step a shader of a RenderDoc capture headless.")
    p.add_argument("capture")
    what = p.add_mutually_exclusive_group(required=True)
    what.add_argument("--pixel", metavar="X,Y")
    what.add_argument("--vertex", metavar="N", type=int)
    what.add_argument("--thread", metavar="GX,GY,GZ:TX,TY,TZ", help="workgroup and thread within it")
    p.add_argument("--instance", type=int, default=0)
    p.add_argument("--index", type=int, help="vertex index for an indexed draw (default: the vertex number)")
    p.add_argument("--event", type=int, help="event to debug (default: the last draw or dispatch)")
    p.add_argument("--instructions", action="store_true", help="one step per SPIR-V instruction, not per source line")
    p.add_argument("--columns", action="store_true", help="let RenderDoc use the columns of DebugLine (off by default there)")
    p.add_argument("--max-states", type=int, default=200000)
    p.add_argument("--log", metavar="FILE", help="where RenderDoc writes its own log")
    p.add_argument("--in-process", action="store_true", help="do not guard against a crash inside RenderDoc")
    args = p.parse_args()
    if not args.in_process:
        # malformed debug information can crash RenderDoc itself; report that like any other failure
        with tempfile.TemporaryDirectory() as tmp:
            log = os.path.join(tmp, "renderdoc.log")
            code = subprocess.call([sys.executable, os.path.abspath(__file__), "--in-process", "--log", log] + sys.argv[1:])
            if code < 0:
                sys.stderr.write("step: RenderDoc crashed while debugging this shader (%s)\n" % signal.Signals(-code).name)
                for line in log_errors(log):
                    sys.stderr.write("step: RenderDoc's log says: %s\n" % line)
                return NO_DEBUG
            return code

    failure = None
    if args.log:
        rd.SetDebugLogFile(args.log)
    rd.InitialiseReplay(rd.GlobalEnvironment(), [])
    try:
        if args.columns:
            setting = rd.SetConfigSetting("Vulkan.Debug.UseDebugColumnInformation")
            if setting is None:
                raise Failure(NO_DEBUG, "this RenderDoc has no setting for column information")
            setting.data.basic.b = True
        print(json.dumps(debug(args)))
    except Failure as f:
        failure = f
    finally:
        rd.ShutdownReplay()
    sys.stdout.flush()
    if failure:
        sys.stderr.write("step: %s\n" % failure)
        return failure.status
    return 0


if __name__ == "__main__":
    sys.exit(main())
