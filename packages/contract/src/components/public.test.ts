import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { componentTypes } from './catalogue.ts'
import type { Settings } from './component-type.ts'
import { publicComponent, withoutSecrets } from './public.ts'

const key = 'THE-KEY'

// Puts the key at a path such as `questions/*/correct`: lists get two entries, other fields stay random.
function planted(path: readonly string[], noise: Settings): unknown {
  const [step, ...rest] = path
  if (step === undefined) return key
  const child = planted(rest, noise)
  return step === '*' ? [child, child] : { ...noise, [step]: child }
}

const noise = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 })

describe('publicComponent', () => {
  test.each(Object.values(componentTypes))('$type: secrets are removed', ({ type, secret, example }) => {
    fc.assert(
      fc.property(
        noise,
        fc.subarray([...secret, 'correct', 'deep/*/correct', 'deep/er/correct']),
        (settings, paths) => {
          const component: Settings = { ...settings, ...example.settings }
          for (const path of paths) Object.assign(component, planted(path.split('/'), settings))
          const view = publicComponent({ ...component, id: 'c', type })
          expect(JSON.stringify(view)).not.toContain(key)
        },
      ),
    )
  })

  test('everything else is copied unchanged', () => {
    const isPlain = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      Object.entries(value).every(([name, child]) => name !== 'correct' && isPlain(child))
    const reserved = ['roles', 'states', 'saveTo']
    const settings = noise.filter(
      (each) => isPlain(each) && !reserved.some((name) => Object.hasOwn(each, name)),
    )
    fc.assert(
      fc.property(settings, fc.constantFrom('unheard_of', ...Object.keys(componentTypes)), (each, type) => {
        const component = { ...each, id: 'c', type }
        const view = publicComponent(component)
        expect(JSON.parse(JSON.stringify(view))).toEqual(JSON.parse(JSON.stringify(component)))
        expect(view).not.toBe(component)
      }),
    )
  })

  test('leaves out who sees it, where it is shown and where its response is stored', () => {
    expect(
      publicComponent({
        id: 'c',
        type: 'instructions',
        roles: ['seller'],
        states: ['s1'],
        saveTo: 'understood',
        required: true,
        questions: [{ id: 'q', options: [{ value: 1, correct: true }], correct: 1 }],
      }),
    ).toEqual({
      id: 'c',
      type: 'instructions',
      required: true,
      questions: [{ id: 'q', options: [{ value: 1 }] }],
    })
  })

  test('a secret path matches entries of lists and any field', () => {
    const settings = { a: { b: 1, c: 2 }, list: [{ b: 1, c: 2 }, 'text'], b: 1 }
    expect(withoutSecrets(settings, [['list', '*', 'b']])).toEqual({ ...settings, list: [{ c: 2 }, 'text'] })
    expect(withoutSecrets(settings, [['*', 'b']])).toEqual({ ...settings, a: { c: 2 } })
    expect(withoutSecrets(settings, [['b', 'c'], ['a']])).toEqual({ list: settings.list, b: 1 })
  })

  test('does not change the definition', () => {
    const component = { id: 'c', type: 'multiple_choice', options: ['a'], correct: 'a' }
    publicComponent(component)
    expect(component.correct).toBe('a')
  })
})
