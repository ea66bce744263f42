import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { evaluate, type Scope } from './evaluate.ts'
import { parseExpression } from './expression.ts'
import { residualOf } from './residual.ts'
import { createShown } from './shown.ts'
import { nodesIn, type SyntaxNode } from './syntax.ts'
import { scope } from './test/example-scope.ts'
import type { Value } from './value.ts'
import { boundedWork } from './work.ts'

function parsed(text: string): SyntaxNode {
  const found = parseExpression(text)
  if (!found.ok) throw new Error(found.message)
  return found.expression.root
}

const knowing = (answers: Record<string, Value>, within: Scope = scope): Scope => ({
  ...within,
  field: (source, name) => (source === 'answers' ? (answers[name] ?? null) : undefined),
})
const rest = (text: string) =>
  residualOf(parsed(text), { ...scope, field: () => undefined }, 'answers', boundedWork())

describe('[F57] what is left of an expression without what is being entered', () => {
  test.each<[string, Value]>([
    ['a + b', 5],
    ["a == 2 && role == 'buyer'", true],
    ['a == 3 && answers.x', false],
    ['a == 2 || answers.x', true],
    ['a == 2 ? b : answers.x', 3],
    ['nested.inner.deep', 7],
    ['sum(responses.contribution)', 15],
  ])('%s is known', (text, value) => {
    expect(rest(text)).toEqual({ kind: 'literal', value })
  })

  test.each([
    ["a == 2 && answers.x == 'yes'", "answers.x == 'yes'"],
    ['answers.x > a + b', 'answers.x > 5'],
    ['contains(list, answers.x)', 'contains([3, 1, 2], answers.x)'],
    ['a == 3 ? b : answers.x', 'answers.x'],
  ])('of %s, %s is left', (text, left) => {
    const value = (node: SyntaxNode) => evaluate({ text: '', root: node }, knowing({ x: 3 }))
    expect(value(rest(text))).toEqual(value(parsed(left)))
    expect([...nodesIn(rest(text))].some(({ kind }) => ['variable', 'response'].includes(kind))).toBe(
      text.includes('answers'),
    )
  })

  it('says the same as the whole expression, whatever is known and whatever is entered', () => {
    const leaf = fc.constantFrom(
      'a',
      'b',
      'text',
      'yes',
      'answers.x',
      'answers.y',
      '1',
      "'abc'",
      'null',
      'list',
    )
    const expressions = fc.letrec<{ e: string }>((tie) => ({
      e: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc
          .tuple(tie('e'), fc.constantFrom('+', '==', '<', '&&', '||'), tie('e'))
          .map(([l, o, r]) => `(${l} ${o} ${r})`),
        fc.tuple(tie('e'), tie('e'), tie('e')).map(([t, y, n]) => `(${t} ? ${y} : ${n})`),
        tie('e').map((one) => `!${one}`),
        fc.tuple(tie('e'), tie('e')).map(([l, r]) => `contains([${l}], ${r})`),
      ),
    })).e
    const values = fc.constantFrom<Value>(null, 0, 1, 'abc', true, false)
    fc.assert(
      fc.property(expressions, values, values, (text, x, y) => {
        const whole = parseExpression(text)
        fc.pre(whole.ok)
        const [inPage, atOnce] = [rest(text), parsed(text)].map((root) =>
          evaluate({ text: '', root }, knowing({ x, y })),
        )
        expect(inPage).toEqual(atOnce)
      }),
    )
  })
})

describe('[F57] what is shown of a page', () => {
  const parts = [
    { id: 'x' },
    { id: 'y', when: parsed("answers.x == 'yes'") },
    { id: 'z', when: parsed('answers.y > 3') },
  ]
  test.each<[Record<string, Value>, string[]]>([
    [{}, ['x']],
    [{ x: 'yes' }, ['x', 'y']],
    [{ x: 'yes', y: 4 }, ['x', 'y', 'z']],
    [{ x: 'no', y: 4 }, ['x']],
  ])('with %j entered', (entered, shown) => {
    const { isShown } = createShown(parts, (id) => entered[id])
    expect(parts.map(({ id }) => id).filter(isShown)).toEqual(shown)
  })

  it('conditions that wait for each other are not met', () => {
    const circle = [
      { id: 'x', when: parsed('answers.y') },
      { id: 'y', when: parsed('answers.x == 1') },
    ]
    expect(createShown(circle, () => 1).isShown('y')).toBe(false)
  })
})
