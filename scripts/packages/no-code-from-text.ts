import type { Plugin } from 'rolldown'

/**
 * TypeBox compiles schemas to code where it can, and tries whether it can before it reads its own setting. The content
 * security policy of the pages forbids that, and every browser would report it. So what browsers load does without:
 * what the contract compiles once is checked by walking the schema, and the compiler is not loaded at all.
 */
export function noCodeFromText() {
  let isReplaced = false
  return {
    name: 'no-code-from-text',
    buildStart() {
      isReplaced = false
    },
    load(id: string) {
      if (!/[\\/]typebox[\\/]build[\\/]compile[\\/]index\.mjs$/.test(id)) return null
      isReplaced = true
      // Only `Check`: the contract uses nothing else in browsers.
      return `import { Check } from "../schema/check.mjs"
        export const Compile = (schema) => ({ Check: (value) => Check(schema, value) })`
    },
    renderChunk(code: string) {
      if (/new ?\(?globalThis\.Function\b/.test(code))
        throw new Error('A page would make code from text, which its content security policy forbids.')
      return null
    },
    buildEnd(error?: Error) {
      if (!error && !isReplaced)
        throw new Error('TypeBox has moved its compiler: pages would load it, and make code from text.')
    },
  } satisfies Plugin
}
