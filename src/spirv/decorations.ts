/** Names and decorations. */

import { needExtension } from './capabilities.ts';
import type { Context } from './context.ts';
import { Decoration, Op } from './enums.ts';

/** OpName, or OpMemberName with `member`. */
export function name(context: Context, id: number, text: string, member?: number): void {
  if (text === '') return;
  if (member === undefined) context.sections.addText('names', Op.Name, [id], text);
  else context.sections.addText('names', Op.MemberName, [id, member], text);
}

/** Decorates once, however often it is asked for. */
export function decorate(context: Context, id: number, decoration: number, ...operands: number[]): void {
  const key = `${id},${decoration}`;
  if (context.decorated.has(key)) return;
  context.decorated.add(key);
  context.sections.add('decorations', Op.Decorate, id, decoration, ...operands);
}

export function memberDecorate(
  context: Context,
  id: number,
  member: number,
  decoration: number,
  ...operands: number[]
): void {
  context.sections.add('decorations', Op.MemberDecorate, id, member, decoration, ...operands);
}

/** `-fspv-reflect`: the HLSL semantic of an interface variable, the HLSL type of a resource. */
export function decorateSemantic(context: Context, id: number, semantic: string): void {
  needExtension(context, 'SPV_GOOGLE_hlsl_functionality1');
  decorateString(context, id, Decoration.UserSemantic, semantic);
}

export function decorateUserType(context: Context, id: number, type: string): void {
  needExtension(context, 'SPV_GOOGLE_user_type');
  decorateString(context, id, Decoration.UserTypeGOOGLE, type);
}

function decorateString(context: Context, id: number, decoration: number, text: string): void {
  // OpDecorateString is in the core from 1.4 on; before, it came with the extension for decoration strings.
  if (context.target.spirv < 104) needExtension(context, 'SPV_GOOGLE_decorate_string');
  context.sections.addText('decorations', Op.DecorateString, [id, decoration], text);
}
