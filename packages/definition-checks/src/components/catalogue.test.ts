import type { Settings } from '@atrium/contract/components'
import {
  componentTypeOf,
  componentTypes,
  evaluateResponse,
  isRequired,
  responseSchemaOf,
} from '@atrium/contract/components'
import type { SchemaNode } from '@atrium/contract/reference'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { checkComponents } from './check-components.ts'

/** Written by hand, where there is more to test than the declared example. */
interface Case {
  /** The minimum that the type needs besides id and type. */
  least: Settings
  good?: unknown[]
  bad?: unknown[]
}

const options = ['a', { value: 'b', label: 'B', image: '/b.png', alt: 'a bee' }, 3]

const cases: Record<string, Case> = {
  text: { least: {} },
  image: { least: { src: 'https://example.org/a.png' } },
  video: {
    least: { videoId: 'vid_1' },
    good: [{ ended: true }, { ended: true, positionMs: 12.5 }],
    bad: [{ ended: false }, {}, true, { ended: true, positionMs: -1 }],
  },
  audio: { least: { src: 'tone.mp3' }, good: [{ ended: true }], bad: [{ ended: 'yes' }] },
  multiple_choice: { least: { options }, good: ['a', 'b', 3], bad: ['B', '3', ['a'], null, { other: 'c' }] },
  text_input: { least: {}, good: ['x', 'Zoë 👋'], bad: ['', 3, 'two\nlines', '\ud800', 'x'.repeat(1_001)] },
  dropdown: {
    least: { options: ['a', { value: 2, label: 'two' }] },
    good: ['a', 2],
    bad: ['two', '2', ['a'], null],
  },
  date: {
    least: {},
    good: ['2024-02-29', '1912-06-23'],
    bad: ['2023-02-29', '2024-2-29', '29.02.2024', '', 20240229, '2024-02-29T00:00:00Z', null],
  },
  slider: { least: {}, good: [0, 50, 100], bad: [-1, 101, 0.5, '50', null] },
  likert: { least: {}, good: [1, 7], bad: [0, 8, 1.5, '1'] },
  ranking: {
    least: { items: ['a', 'b', 'c'] },
    good: [['c', 'a', 'b']],
    bad: [['a', 'b'], ['a', 'b', 'b'], ['a', 'b', 'd'], 'a'],
  },
  matrix: {
    least: { rows: ['r1', { value: 'r2' }], columns: [1, 2] },
    good: [{ r1: 1, r2: 2 }],
    bad: [{ r1: 1 }, { r1: 1, r2: 3 }, { r1: 1, r2: 2, r3: 1 }, { r1: [1], r2: [2] }],
  },
  constant_sum: {
    least: { items: ['a', { value: 2, label: 'b' }] },
    good: [
      { a: 100, 2: 0 },
      { a: 33, 2: 67 },
    ],
    bad: [
      { a: 100 },
      { a: 101, 2: -1 },
      { a: 50.5, 2: 49.5 },
      { a: '50', 2: 50 },
      { a: 60, 2: 41 },
      [50, 50],
    ],
  },
  best_worst: {
    least: { items: ['a', 2, { value: 'c', label: 'C' }] },
    good: [
      { best: 'a', worst: 2 },
      { best: 'c', worst: 'a' },
    ],
    bad: [
      { best: 'a', worst: 'a' },
      { best: 'a' },
      { best: 'a', worst: 'C' },
      { best: ['a'], worst: 2 },
      'a',
    ],
  },
  semantic_differential: {
    least: { rows: [{ value: 'w', left: 'cold', right: 'warm' }] },
    good: [{ w: 1 }, { w: 7 }],
    bad: [{ w: 0 }, { w: 8 }, { w: 1.5 }, {}, { w: 1, v: 1 }, { w: '1' }],
  },
  text_rows: {
    least: { rows: ['one', { value: 2, label: 'Two' }] },
    good: [{ one: 'a', 2: 'Zoë 👋' }],
    bad: [
      { one: 'a' },
      { one: 'a', 2: '' },
      { one: 'a', 2: 'b\n' },
      { one: 'a', 2: 'x'.repeat(201) },
      ['a', 'b'],
    ],
  },
  hot_spot: {
    least: { src: '/street.png' },
    good: [{ marks: [{ x: 0, y: 100 }] }, { marks: [{ x: 33.3, y: 66.7 }] }],
    bad: [
      { marks: [] },
      { marks: [{ x: 101, y: 0 }] },
      { marks: [{ x: -1, y: 0 }] },
      { marks: [{ x: 1 }] },
      {
        marks: [
          { x: 1, y: 1 },
          { x: 2, y: 2 },
        ],
      },
      { marks: [{ x: 1, y: 1, region: 'a' }] },
      { marks: [{ x: 1, y: 1 }], regions: ['a'] },
      [{ x: 1, y: 1 }],
      {},
    ],
  },
  attention_check: {
    least: { correct: 'blue' },
    good: [{ answer: 'blue' }, { answer: 'red' }],
    bad: [{ answer: '' }, { answer: 3 }, {}, { answer: 'blue', passed: true }, 'blue'],
  },
  continuous_rating: {
    least: {},
    good: [[{ t: 0, value: 50.5 }], Array.from({ length: 1_000 }, (_, t) => ({ t, value: 1 }))],
    bad: [
      [],
      [{ t: -1, value: 1 }],
      [{ t: 0, value: 101 }],
      Array.from({ length: 1_001 }, () => ({ t: 0, value: 1 })),
    ],
  },
  sparse_rating: {
    least: {},
    good: [{ atMs: 10, value: 3 }],
    bad: [{ value: 3 }, { atMs: 10, value: 300 }, 3],
  },
  chat: { least: {} },
  instructions: { least: {}, good: [{ answers: {} }], bad: [{}, { answers: { q: 1 } }] },
  consent: {
    least: {},
    good: [{ agreed: true }, { agreed: false, readMs: 10, scrolledToEnd: false }],
    bad: [{}, true, { agreed: 'yes' }],
  },
  countdown: { least: {} },
  payoff: { least: {} },
  custom_html: { least: {}, good: [null, 1, { a: [1, 2] }] },
  timer: { least: {} },
  progress: { least: {} },
}

const fits = (component: Settings, value: unknown) => {
  const schema = responseSchemaOf(component)
  return (
    schema !== undefined &&
    Value.Check(schema, value) &&
    componentTypeOf(String(component.type)).refusal(component, value) === undefined
  )
}

const errorsFor = (component: Settings & { id: string; type: string }) => {
  const isGlobal = componentTypeOf(component.type).place === 'global'
  const video = { id: 'film', type: 'video', src: '/film.mp4' }
  return checkComponents({
    name: 'One component',
    states: [{ id: 's1', components: isGlobal ? [video] : [video, component] }],
    globalComponents: isGlobal ? [component] : [],
    variables: { earned: 0, payoff: 0 },
  })
}

describe('every component type', () => {
  test('with a case here is in the catalogue', () => {
    expect(Object.keys(cases).filter((type) => !Object.hasOwn(componentTypes, type))).toEqual([])
  })

  describe.each(Object.values(componentTypes))('$type', (declared) => {
    const { type, example } = declared
    const byExample: Case = {
      least: example.settings,
      good: declared.responds === 'none' ? [] : [example.response],
    }
    const { least, good = [], bad = [] } = cases[type] ?? byExample
    const component = { id: type, type, ...least }

    test('is accepted with its minimum settings, and its example has no errors or warnings', () => {
      expect(errorsFor(component)).toEqual({ errors: [], warnings: [] })
      expect(errorsFor({ id: type, type, ...example.settings })).toEqual({ errors: [], warnings: [] })
    })

    test('needs each of its minimum settings', () => {
      for (const missing of Object.keys(cases[type]?.least ?? {})) {
        const rest = Object.fromEntries(Object.entries(least).filter(([name]) => name !== missing))
        expect(errorsFor({ id: type, type, ...rest }).errors).not.toEqual([])
      }
    })

    test('accepts valid responses and refuses invalid ones', () => {
      expect(responseSchemaOf(component) !== undefined).toBe(declared.responds !== 'none')
      expect(good.filter((value) => !fits(component, value))).toEqual([])
      expect(bad.filter((value) => fits(component, value))).toEqual([])
      if (declared.responds === 'none') return
      expect(good.length).toBeGreaterThan(0)
      expect(fits({ id: type, type, ...example.settings }, example.response)).toBe(true)
    })

    test('documents the default of each setting', () => {
      expect(undocumented(plain(declared.settings))).toEqual([])
    })

    test('has a title for each setting and each response field', () => {
      expect(untitled(plain(declared.settings))).toEqual([])
      for (const settings of [example.settings, least]) {
        const response = responseSchemaOf({ id: type, type, ...settings })
        if (response) expect(untitled(plain({ properties: { response } }))).toEqual([])
      }
    })

    test('describes its defaults correctly', () => {
      expect(misdescribed(plain(declared.settings))).toEqual([])
    })
  })
})

type AnnotatedNode = Omit<SchemaNode, 'properties' | 'items' | 'anyOf'> & {
  title?: string
  default?: unknown
  properties?: Record<string, AnnotatedNode>
  items?: AnnotatedNode
  anyOf?: AnnotatedNode[]
}

const plain = (schema: object): AnnotatedNode => JSON.parse(JSON.stringify(schema))

/** Each named field with its path, at any depth. */
function fieldsIn(node: AnnotatedNode, path = ''): [path: string, field: AnnotatedNode][] {
  const inside = Object.entries(node.properties ?? {}).flatMap(([name, child]) => [
    [`${path}${name}`, child] as [string, AnnotatedNode],
    ...fieldsIn(child, `${path}${name}.`),
  ])
  const parts = [...(node.items ? [node.items] : []), ...(node.anyOf ?? [])]
  return [...inside, ...parts.flatMap((part) => fieldsIn(part, path))]
}

const untitled = (schema: AnnotatedNode): string[] =>
  fieldsIn(schema).flatMap(([path, { title = '' }]) => (title.trim() === '' ? [path] : []))

/** The description may word empty defaults freely. */
const misdescribed = (schema: AnnotatedNode): string[] =>
  fieldsIn(schema).flatMap(([path, { default: value, description = '' }]) => {
    if (value === undefined || value === '' || value === 0 || typeof value === 'object') return []
    const inWords = typeof value === 'number' ? value.toLocaleString('en') : String(value)
    return description.endsWith(`; ${inWords} when absent`) ? [] : [`${path}: ${description}`]
  })

/** Optional settings whose description names no default, and required ones without a description. */
function undocumented(node: AnnotatedNode, path = ''): string[] {
  const inside = Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const isRequiredHere = node.required?.includes(name) ?? false
    const text = child.description ?? ''
    const isTold = isRequiredHere ? text !== '' : / when absent$/.test(text)
    return [...(isTold ? [] : [`${path}${name}`]), ...undocumented(child, `${path}${name}.`)]
  })
  const parts = [...(node.items ? [node.items] : []), ...(node.anyOf ?? [])]
  return [...inside, ...parts.flatMap((part) => undocumented(part, path))]
}

const file = (change: object) => ({
  fileId: `file_${'A'.repeat(22)}`,
  name: 'a.png',
  type: 'image/png',
  ...change,
})

/** How long a trial waits for a key. */
const trialMs = 500

const reactions = (change: object) => {
  const given = { trial: 0, key: 'f', rtMs: 400, correct: null, timedOut: false, onsetMs: 1, frameMs: 17 }
  return {
    trials: [{ ...given, input: 'touch', hidden: false, ...change }],
    precision: { frameMs: 16.7, clockStepMs: 0.1 },
  }
}

describe('the response schema follows the settings', () => {
  test.each<[Settings, unknown[], unknown[]]>([
    [
      { type: 'multiple_choice', options: ['a', 'b', 'c'], multiple: true },
      [['a'], ['c', 'a']],
      [[], ['a', 'a'], 'a'],
    ],
    [
      { type: 'multiple_choice', options: ['a', 'b', 'c'], multiple: true, minChoices: 0, maxChoices: 1 },
      [[], ['a']],
      [['a', 'b']],
    ],
    [
      { type: 'multiple_choice', options: ['a'], allowOther: true },
      ['a', { other: 'mine' }],
      ['mine', { other: '' }],
    ],
    [{ type: 'text_input', kind: 'number', min: 1, max: 3 }, [1, 2.5], [0, 4, '2']],
    [{ type: 'text_input', kind: 'number', integer: true }, [-2], [2.5]],
    [{ type: 'text_input', kind: 'number', decimals: 2 }, [1, 2.25, 1e12, -0.01], [2.255]],
    [{ type: 'text_input', kind: 'number', min: 0, step: 0.5 }, [0, 1.5], [1.25, -0.5]],
    [{ type: 'text_input', kind: 'number', min: 1.5, max: 4, step: 1 }, [1.5, 3.5], [2, 4.5]],
    [{ type: 'text_input', kind: 'email' }, ['ada@example.org'], ['ada', 'ada@', '']],
    [{ type: 'text_input', kind: 'paragraph', maxLength: 5 }, ['a\nb', 'abcde'], ['abcdef', '', 'a\u0000']],
    [{ type: 'text_input', minLength: 0 }, [''], []],
    [{ type: 'slider', min: -1, max: 1, step: 0.1 }, [-1, -0.3, 0.7, 3 * 0.1], [0.15, 1.1]],
    [{ type: 'slider', min: 1.5, max: 5.5, step: 1 }, [1.5, 2.5], [6]],
    [{ type: 'likert', points: 5 }, [5], [6]],
    [
      { type: 'date', min: '1900-01-01', max: '2026-05-17' },
      ['1900-01-01', '2026-05-17', '1999-12-31'],
      ['1899-12-31', '2026-05-18', '2025-02-29'],
    ],
    [{ type: 'date', min: '2020-01-01' }, ['9999-12-31'], ['2019-12-31']],
    [{ type: 'likert', points: 11, min: 0 }, [0, 10], [-1, 11]],
    [{ type: 'likert', min: -3 }, [-3, 0, 3], [-4, 4]],
    [{ type: 'likert', labels: ['no', 'maybe', 'yes'] }, [3], [4]],
    [
      { type: 'matrix', rows: ['r'], columns: ['a', 'b'], multiple: true },
      [{ r: ['a', 'b'] }],
      [{ r: 'a' }, { r: [] }],
    ],
    [{ type: 'matrix', rows: ['r', 's'], columns: ['a'], allRows: false }, [{}, { s: 'a' }], [{ r: 'b' }]],
    [{ type: 'text_rows', rows: ['a', 'b'], allRows: false }, [{}, { b: 'x' }], [{ b: '' }]],
    [
      {
        ...{ type: 'semantic_differential', points: 3, min: -1, allRows: false },
        rows: [{ value: 'w', left: 'cold', right: 'warm' }],
      },
      [{}, { w: -1 }, { w: 1 }],
      [{ w: 2 }],
    ],
    [
      { type: 'constant_sum', items: ['a', 'b'], total: 10, min: 2, max: 8 },
      [
        { a: 2, b: 8 },
        { a: 5, b: 5 },
      ],
      [
        { a: 0, b: 10 },
        { a: 5, b: 4 },
      ],
    ],
    [
      { type: 'hot_spot', src: '/a.png', minMarks: 2, maxMarks: 3 },
      [2, 3].map((count) => ({ marks: Array.from({ length: count }, () => ({ x: 1, y: 2.5 })) })),
      [1, 4].map((count) => ({ marks: Array.from({ length: count }, () => ({ x: 1, y: 2.5 })) })),
    ],
    [{ type: 'matrix', rows: ['__proto__'], columns: ['a'] }, [JSON.parse('{"__proto__":"a"}')], [{}]],
    [
      { type: 'consent', requireScroll: true },
      [{ agreed: true, scrolledToEnd: true, readMs: 9 }, { agreed: false }],
      [{ agreed: true }, { agreed: true, scrolledToEnd: false }, {}],
    ],
    [
      { type: 'reaction_time', keys: ['f'], trials: [{ text: 'A' }], timeoutMs: trialMs },
      [reactions({}), reactions({ key: null, rtMs: null, timedOut: true, input: null })],
      [
        reactions({ rtMs: 501 }),
        reactions({ rtMs: -1 }),
        reactions({ key: 'g' }),
        reactions({ trial: 1 }),
        reactions({ input: 'telepathy' }),
        { ...reactions({}), trials: [] },
        { ...reactions({}), more: 1 },
        {},
      ],
    ],
    [
      { type: 'file_upload', maxBytes: 10 },
      [file({ size: 10 })],
      [
        file({ size: 11 }),
        file({ size: 0 }),
        file({ fileId: '../secret' }),
        file({ name: '' }),
        file({ more: 1 }),
      ],
    ],
    [
      { type: 'audio_answer', maxMs: 1_000 },
      [file({ size: 10, durationMs: 999 })],
      [file({ size: 10 }), file({ size: 10, durationMs: 9_000 })],
    ],
    [{ type: 'sparse_rating', atMs: [10, 20] }, [{ atMs: 20, value: 1 }], [{ atMs: 15, value: 1 }]],
    [
      { type: 'instructions', questions: [{ id: 'q', correct: 'x' }] },
      [{ answers: { q: 'y' } }, { answers: { q: 2 } }],
      [{ answers: {} }],
    ],
  ])('%j', (settings, good, bad) => {
    const component = { id: 'c', ...settings }
    expect(good.filter((value) => !fits(component, value))).toEqual([])
    expect(bad.filter((value) => fits(component, value))).toEqual([])
  })
})

describe('required components', () => {
  test.each<[Settings, boolean]>([
    [{ type: 'slider' }, true],
    [{ type: 'slider', required: false }, false],
    [{ type: 'video', src: '/a.mp4' }, false],
    [{ type: 'continuous_rating' }, false],
    [{ type: 'continuous_rating', required: true }, true],
    [{ type: 'text', required: true }, false],
    [{ type: 'instructions', pages: ['Read this.'] }, false],
    [{ type: 'instructions', questions: [{ id: 'q', correct: 1 }] }, true],
    [{ type: 'unheard_of' }, false],
    [{ type: 'unheard_of', required: true }, true],
  ])('%j: %s', (component, expected) => {
    expect(isRequired({ id: 'c', ...component })).toBe(expected)
  })
})

describe('an unknown type', () => {
  const context = { elapsedMs: 0, attempt: 1 }

  test.each(['eye_tracker', 'constructor', '__proto__', ''])(
    '‘%s’ accepts any response, any number of times',
    (type) => {
      const component = { id: 'c', type, anything: [1] }
      expect(componentTypeOf(type)).toMatchObject({ type, responds: 'many', requiredByDefault: false })
      expect(fits(component, { deep: [null] })).toBe(true)
      expect(evaluateResponse(component, 1, context)).toEqual({ kind: 'accepted', isFinal: false })
    },
  )

  test('a known type with settings from before the catalogue still runs', () => {
    const component = { id: 'c', type: 'multiple_choice', options: 'a,b', correct: 'a' }
    expect(fits(component, 'a')).toBe(true)
    expect(evaluateResponse(component, 'a', context)).toEqual({ kind: 'accepted', isFinal: true })
  })
})
