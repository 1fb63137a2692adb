/**
 * A triangle drawn by the interpreter: vertex shader, clip distances, perspective interpolation at pixel centres, pixel shader
 * by quads. The viewport is D3D's: y up in clip space, row 0 on top. Triangles must lie in front of the eye.
 */
import type { InterfaceVariable, Module } from '../../../src/ir/ir.ts';
import { elementOf, scalarClass } from '../../../src/types/type.ts';
import {
  type Environment,
  interpretQuad,
  interpretVertices,
  type StageValues,
  stageKey,
} from './interpret.ts';
import { asList, type Datum, fail, isList, map, numbers } from './value.ts';

export interface Drawing {
  width: number;
  height: number;
  /** Inputs of each vertex; three make a triangle. */
  vertices: readonly StageValues[];
}

export interface DrawnPixel {
  x: number;
  y: number;
  outputs: StageValues;
}

interface Vertex {
  values: StageValues;
  /** Window coordinates and 1/w. */
  x: number;
  y: number;
  z: number;
  q: number;
}

/** Pixels that were drawn and not discarded, in order of quads; later triangles win. */
export function interpretDraw(
  vertexShader: Module,
  pixelShader: Module,
  drawing: Drawing,
  environment: Environment = {},
): DrawnPixel[] {
  const results = interpretVertices(vertexShader, drawing.vertices, environment);
  const drawn = new Map<string, DrawnPixel>();
  const quads = rasterize(
    results.map(({ outputs }) => outputs),
    pixelShader,
    drawing,
  );
  for (const pixels of quads) {
    const shaded = interpretQuad(
      pixelShader,
      pixels.map(({ inputs }) => inputs),
      environment,
      pixels.map(({ covered }) => !covered),
    );
    shaded.forEach(({ outputs, discarded }, i) => {
      const { x, y, covered } = pixels[i]!;
      if (covered && !discarded) drawn.set(`${x},${y}`, { x, y, outputs });
    });
  }
  return [...drawn.values()];
}

/** A pixel of a quad, with the values that the pixel shader gets. */
export interface Fragment {
  x: number;
  y: number;
  inputs: StageValues;
  /** Else it only helps its neighbours. */
  covered: boolean;
}

/** The quads of triangles that cover a pixel at least, four pixels each: left top, right top, left bottom, right bottom. */
export function rasterize(
  results: readonly StageValues[],
  pixelShader: Module,
  drawing: Drawing,
): Fragment[][] {
  const vertices = results.map((outputs) => project(outputs, drawing));
  const quads: Fragment[][] = [];
  for (let i = 0; i + 2 < vertices.length; i += 3) {
    const triangle = vertices.slice(i, i + 3) as [Vertex, Vertex, Vertex];
    for (let y = 0; y < drawing.height; y += 2)
      for (let x = 0; x < drawing.width; x += 2) {
        const pixels = quadAt(pixelShader, triangle, x, y);
        if (pixels.some(({ covered }) => covered)) quads.push(pixels);
      }
  }
  return quads;
}

function project(values: StageValues, { width, height }: Drawing): Vertex {
  const [x, y, z, w] = numbers(values['SV_Position'] ?? fail('the vertex shader writes no position')) as [
    number,
    number,
    number,
    number,
  ];
  if (w <= 0) fail('the interpreter draws only triangles in front of the eye');
  return { values, x: ((x / w + 1) / 2) * width, y: ((1 - y / w) / 2) * height, z: z / w, q: 1 / w };
}

function quadAt(
  shader: Module,
  triangle: readonly [Vertex, Vertex, Vertex],
  left: number,
  top: number,
): Fragment[] {
  return [0, 1, 2, 3].map((n) => {
    const [x, y] = [left + (n & 1), top + (n >> 1)];
    const weights = barycentric(triangle, x + 0.5, y + 0.5);
    const covered = weights.every((value) => value >= 0) && !isClipped(triangle, weights);
    return { x, y, covered, inputs: interpolateInputs(shader, triangle, weights, x + 0.5, y + 0.5) };
  });
}

/** Areas opposite to each vertex, as parts of the whole. */
function barycentric([a, b, c]: readonly [Vertex, Vertex, Vertex], x: number, y: number): number[] {
  const cross = (p: { x: number; y: number }, q: { x: number; y: number }): number =>
    (p.x - x) * (q.y - y) - (p.y - y) * (q.x - x);
  const area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  return [cross(b, c) / area, cross(c, a) / area, cross(a, b) / area];
}

function perspective(triangle: readonly Vertex[], weights: readonly number[]): number[] {
  const q = weights.map((weight, i) => weight * triangle[i]!.q);
  const sum = q.reduce((a, b) => a + b);
  return q.map((value) => value / sum);
}

function isClipped(triangle: readonly [Vertex, Vertex, Vertex], weights: readonly number[]): boolean {
  const along = perspective(triangle, weights);
  return Object.keys(triangle[0].values).some((key) => {
    if (!key.startsWith('SV_ClipDistance')) return false;
    const distances = triangle.map((vertex) => numbers([vertex.values[key]!].flat() as readonly Datum[]));
    return distances[0]!.some((_, i) => distances.reduce((sum, of, v) => sum + of[i]! * along[v]!, 0) < 0);
  });
}

function interpolateInputs(
  shader: Module,
  triangle: readonly [Vertex, Vertex, Vertex],
  weights: readonly number[],
  x: number,
  y: number,
): StageValues {
  const along = perspective(triangle, weights);
  const inputs: StageValues = {};
  for (const global of shader.globals) {
    if (global.role.kind !== 'input') continue;
    const key = stageKey(global);
    if (key === 'SV_Position') {
      const z = weights.reduce((sum, weight, i) => sum + weight * triangle[i]!.z, 0);
      const q = weights.reduce((sum, weight, i) => sum + weight * triangle[i]!.q, 0);
      inputs[key] = [x, y, z, q].map(Math.fround);
    } else inputs[key] = systemValue(key) ?? interpolate(global.role.variable, key, triangle, weights, along);
  }
  return inputs;
}

function systemValue(key: string): Datum | undefined {
  switch (key) {
    case 'SV_IsFrontFace':
      return true;
    case 'SV_PrimitiveID':
    case 'SV_SampleIndex':
      return 0;
    case 'SV_Coverage':
      return 1;
    default:
      return undefined;
  }
}

function interpolate(
  variable: InterfaceVariable,
  key: string,
  triangle: readonly [Vertex, Vertex, Vertex],
  weights: readonly number[],
  along: readonly number[],
): Datum {
  const values = triangle.map(
    (vertex) => vertex.values[key] ?? fail(`the vertex shader does not write ${key}`),
  ) as [Datum, Datum, Datum];
  const element = elementOf(variable.type);
  const isFlat =
    variable.interpolation.includes('nointerpolation') || !element || scalarClass(element) !== 'float';
  if (isFlat) return values[0];
  const by = variable.interpolation.includes('noperspective') ? weights : along;
  const mix = (parts: readonly Datum[]): Datum =>
    map(parts, (a, b, c) => Math.fround(Number(a) * by[0]! + Number(b) * by[1]! + Number(c) * by[2]!));
  return isList(values[0])
    ? values[0].map((_, i) => mix(values.map((value) => asList(value)[i]!)))
    : mix(values);
}
