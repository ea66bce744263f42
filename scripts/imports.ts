// Finds the imports of a source file by regular expressions: enough for code that Biome has formatted, and no
// parser to depend on (TypeScript 7 has no stable one for programs yet).

export type Import = { specifier: string; line: number; typeOnly: boolean }

/** Strings, so that they are stepped over, or what must not be read as code: comments and template texts. */
const stringOrNoise = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g

const staticImport =
  /^[ \t]*(?:import|export)\s+(type\s+(?!from\b))?(?:[\w*\s{},$]+\sfrom\s*)?['"]([^'"]+)['"]/gm
const dynamicImport = /\b(?:import|require)\s*\(\s*(?:['"]([^'"]+)['"])?/g

/** `specifier` is empty for a dynamic import of something computed. */
export function findImports(source: string): Import[] {
  const code = source.replace(stringOrNoise, (found) => (/^['"]/.test(found) ? found : blank(found)))
  const lineOf = (index: number) => code.slice(0, index).split('\n').length
  const statics = [...code.matchAll(staticImport)].map((match) => ({
    specifier: match[2] ?? '',
    line: lineOf(match.index),
    typeOnly: match[1] !== undefined,
  }))
  const dynamics = [...code.matchAll(dynamicImport)].map((match) => ({
    specifier: match[1] ?? '',
    line: lineOf(match.index),
    typeOnly: false,
  }))
  return [...statics, ...dynamics]
}

/** Same length and lines, no words. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}
