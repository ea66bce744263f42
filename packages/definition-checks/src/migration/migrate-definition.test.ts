import { anyDefinition, componentOf, settingsByType } from '@atrium/testkit/definitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkOnSaving } from '../check-on-saving.ts'
import { migrateDefinition } from './migrate-definition.ts'

const study = (components: object[], more: object = {}) => ({
  name: 'Study',
  variables: { took: null, n: 0 },
  states: [{ id: 's', components, ...more }],
})
const mood = { id: 'mood', type: 'slider' }
const canBeSaved = (definition: unknown) => 'definition' in checkOnSaving(definition)

describe('[F180] a definition that an earlier version saved', () => {
  test('loses settings that did nothing, at any depth, and the author reads which were meant', () => {
    const old = study([
      { ...mood, labl: 'How are you?' },
      { id: 'pick', type: 'multiple_choice', options: ['a', { value: 'b', tooltip: 'B' }], showIf: 'n > 1' },
    ])
    const { definition, changes } = migrateDefinition(old)
    expect(definition).toEqual(
      study([mood, { id: 'pick', type: 'multiple_choice', options: ['a', { value: 'b' }] }]),
    )
    expect(canBeSaved(definition)).toBe(true)
    expect(changes).toMatchObject([
      { path: '/states/0/components/0/labl', kind: 'removed', before: 'How are you?' },
      { path: '/states/0/components/1/options/1/tooltip', before: 'B' },
      { path: '/states/0/components/1/showIf', reason: expect.stringContaining('write ‘when’') },
    ])
    expect(changes[0]?.reason).toContain('did you mean ‘label’')
    expect(changes[0]?.effect).toContain('participants see the same')
  })

  test('loses fields that the end of a state does not have', () => {
    const { definition, changes } = migrateDefinition(
      study([mood], { end: { on: 'timed', afterMs: 10, label: 'Next' } }),
    )
    expect(definition).toEqual(study([mood], { end: { on: 'timed', afterMs: 10 } }))
    expect(changes).toMatchObject([{ path: '/states/0/end/label', kind: 'removed', before: 'Next' }])
  })

  test('computes and shows the same without fields that no response has', () => {
    const old = study(
      [mood, { id: 'told', type: 'text', text: 'It took {{response.mood.responseTime | 0}}' }],
      {
        onEnd: { took: 'response.mood.responseTime' },
      },
    )
    const { definition, changes } = migrateDefinition(old)
    expect(definition).toEqual(
      study([mood, { id: 'told', type: 'text', text: 'It took {{null | 0}}' }], { onEnd: { took: 'null' } }),
    )
    expect(canBeSaved(definition)).toBe(true)
    expect(changes).toMatchObject([
      {
        path: '/states/0/onEnd/took',
        kind: 'rewritten',
        before: 'response.mood.responseTime',
        after: 'null',
      },
      { path: '/states/0/components/1/text', kind: 'rewritten' },
    ])
  })

  test('has each of its languages rewritten', () => {
    const told = (text: object) => ({
      ...study([mood, { id: 'told', type: 'text', text }]),
      languages: ['en', 'de'],
    })
    const { definition } = migrateDefinition(
      told({ en: 'Took {{response.mood.rt}}', de: 'Dauer: {{response.mood.rt}}' }),
    )
    expect(definition).toEqual(told({ en: 'Took {{null}}', de: 'Dauer: {{null}}' }))
  })

  test('stays as it is where only its author knows what is meant', () => {
    const page = { id: 'page', type: 'custom_html', html: '<p>You have {{n}}</p>' }
    const old = study([{ ...mood, labl: 'x' }, page], { onEnd: { n: '1 + response.mood.rt' } })
    const { definition, changes } = migrateDefinition(old)
    expect(definition).toEqual(study([mood, page], { onEnd: { n: '1 + response.mood.rt' } }))
    expect(changes.filter(({ kind }) => kind === 'undecided')).toMatchObject([
      {
        path: '/states/0/onEnd/n',
        before: '1 + response.mood.rt',
        effect: expect.stringContaining('decide'),
      },
      { path: '/states/0/components/1/html', effect: expect.stringContaining('braces') },
    ])
  })

  test.each<[given: unknown, path: string]>([
    [null, ''],
    [[], ''],
    [{ name: 'Study' }, '/states'],
    [JSON.parse('{"name": "Study", "states": [], "__proto__": {}}'), '/__proto__'],
  ])('is left alone if it is none: %j', (given, path) => {
    const { definition, changes } = migrateDefinition(given)
    expect(definition).toBe(given)
    expect(changes).toMatchObject([{ path, kind: 'undecided' }])
  })

  test('[ADR 9] keeps every setting of a component that only a client of its own knows', () => {
    const own = { id: 'own', type: 'my_own', anything: { at: 'all' } }
    expect(migrateDefinition(study([own, { ...mood, labl: 'x' }])).definition).toEqual(study([own, mood]))
  })
})

const useless = fc.dictionary(
  fc.stringMatching(/^[a-z]{2,6}$/).map((name) => `${name}Q`),
  fc.oneof(fc.jsonValue(), fc.constant('{{n}}')),
  { maxKeys: 3 },
)
const anyComponent = fc
  .constantFrom(...Object.keys(settingsByType))
  .chain((type) => fc.tuple(settingsByType[type] ?? fc.constant({}), useless, fc.constant(type)))
const expression = fc.constantFrom(
  'response.c0.rt',
  '1 + response.c0.rt',
  'count(responses.c0)',
  'n + 1',
  'q',
)
const olderDefinition = fc
  .tuple(anyDefinition, fc.array(anyComponent, { maxLength: 4 }), useless, expression)
  .map(([definition, drawn, inEnd, text]) => ({
    ...definition,
    variables: { x: 0, n: 0, earned: 0 },
    states: definition.states.map((state, at) => ({
      ...state,
      ...(at === 0 && {
        components: drawn.map(([settings, more, type], index) => ({
          ...componentOf(type, settings),
          ...more,
          id: `c${index}`,
        })),
        end: { on: 'button', ...inEnd },
        onEnd: { n: text },
      }),
    })),
  }))

describe('[F182] for any definition', () => {
  test('one that can be saved is returned as it is; another can be saved, or says what to decide', () => {
    fc.assert(
      fc.property(olderDefinition, (given) => {
        const copy = structuredClone(given)
        const { definition, changes } = migrateDefinition(given)
        expect(given).toEqual(copy)
        if (canBeSaved(given)) expect({ definition, changes }).toEqual({ definition: given, changes: [] })
        else expect(changes).not.toEqual([])
        expect(canBeSaved(definition)).toBe(changes.every(({ kind }) => kind !== 'undecided'))
      }),
    )
  })

  test('migrating twice is migrating once', () => {
    fc.assert(
      fc.property(olderDefinition, (given) => {
        const once = migrateDefinition(given)
        const twice = migrateDefinition(once.definition)
        expect(twice.definition).toBe(once.definition)
        expect(twice.changes).toEqual(once.changes.filter(({ kind }) => kind === 'undecided'))
      }),
    )
  })
})
