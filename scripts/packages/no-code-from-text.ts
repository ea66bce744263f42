import type { Plugin } from 'rolldown'

/**
 * TypeBox compiles schemas to code where it can, and tries whether it can before it reads its own setting. The content
 * security policy of the pages forbids that, and every browser would report it. So what browsers load does without;
 * TypeBox then checks values by walking the schema.
 */
export function noCodeFromText() {
  let isReplaced = false
  return {
    name: 'no-code-from-text',
    buildStart() {
      isReplaced = false
    },
    load(id: string) {
      if (!/[\\/]typebox[\\/]build[\\/]system[\\/]environment[\\/]evaluate\.mjs$/.test(id)) return null
      isReplaced = true
      return `export const CanEvaluate = () => false
        export function Evaluate() { throw new Error('pages make no code from text') }`
    },
    buildEnd(error?: Error) {
      if (!error && !isReplaced)
        throw new Error('TypeBox has moved its evaluate.mjs: pages would make code from text.')
    },
  } satisfies Plugin
}
