import type { ExperimentDefinition, State } from '@atrium/contract'

const state = (id: string, more: Partial<State> = {}): State => ({ id, components: [], ...more })
const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index))
const named = <Value>(count: number, name: string, value: (index: number) => Value): Record<string, Value> =>
  Object.fromEntries(many(count, (index) => [`${name}${index}`, value(index)]))

/** After a button: a state that ends at once, with a loop whose length cannot be predicted. */
const looping = (
  onEnter: Record<string, string>,
  variables: Record<string, unknown>,
): ExperimentDefinition => ({
  name: 'Looping',
  variables: { turns: 0, ...variables },
  states: [
    state('start'),
    state('again', {
      end: { on: 'timed', afterMs: 0 },
      onEnter: { turns: 'turns + 1', ...onEnter },
      next: [{ to: 'again', when: 'turns < 1000000', atMost: 10_000 }],
    }),
    state('rest'),
  ],
})

const list = many(9_999, (index) => index % 7)

/** Definitions that can be saved, but whose rooms would compute for seconds or longer once the button is pressed. */
export const heavyDefinitions: Record<string, ExperimentDefinition> = {
  'a loop that does nothing': looping({}, {}),
  'long sums in a loop': looping({ total: `sum([${many(400, () => '1').join()}])` }, { total: 0 }),
  'sorting in a loop': looping({ sorted: 'sort(list)' }, { list, sorted: null }),
  'comparing in a loop': looping({ same: 'list == other' }, { list, other: [...list], same: null }),
  'unlike values in a loop': looping({ unlike: 'unique(list)' }, { list: many(9_999, String), unlike: null }),
  'a growing list in a loop': looping({ tree: '[tree, tree, tree]' }, { tree: 1 }),
  'a growing text in a loop': looping({ text: "text + text + 'abcdefgh'" }, { text: '' }),
  'texts that are nearly alike': looping(
    { found: 'contains(text, part)' },
    { text: 'a'.repeat(99_000), part: `b${'a'.repeat(45_000)}`, found: null },
  ),
  'hundreds of variables in a loop': looping(
    named(900, 'v', (index) => `v${index} + 1`),
    named(900, 'v', () => 0),
  ),
  'hundreds of computed variables': {
    ...looping({}, {}),
    variables: {
      ...looping({}, {}).variables,
      list,
      ...named(900, 'c', () => ({ compute: `sum(list) + ${many(10, () => 'max(list)').join(' + ')}` })),
    },
  },
}

/** A page of values that cost much more to write than to save; the slider changes one of them. */
export const heavyTexts: Record<string, ExperimentDefinition> = {
  'two hundred values of a long list': pageOf(
    many(4, () => `${'{{a}}'.repeat(49)}{{n}}`),
    { a: { initial: many(1_000, (index) => index + 0.5) } },
  ),
  'a thousand values of a long list, in 900 KB': pageOf(
    [...many(18, () => `${'{{a}}'.repeat(49)}{{n}}`), ...many(48, () => 'x'.repeat(18_000))],
    { a: { initial: many(9_999, (index) => index + 0.5) } },
  ),
  'a thousand currencies': pageOf(
    many(20, (at) => many(50, (index) => `{{n | ${currencyOf(at * 50 + index)}}}`).join(' ')),
    {},
  ),
}

function pageOf(texts: readonly string[], variables: Record<string, unknown>): ExperimentDefinition {
  const slider = { id: 'slider', type: 'slider', saveTo: 'n', required: false }
  const components = [slider, ...texts.map((text, index) => ({ id: `t${index}`, type: 'text', text }))]
  return {
    name: 'Texts',
    variables: { n: 0, ...variables },
    states: [state('start', { components }), state('rest')],
  }
}

function currencyOf(index: number): string {
  return String.fromCharCode(
    65 + (index % 26),
    65 + (Math.floor(index / 26) % 26),
    65 + Math.floor(index / 676),
  )
}

/** Two states that end at once and lead to each other, without a condition, so that saving detects it. */
export const instantLoop = (): ExperimentDefinition => ({
  name: 'Round and round',
  states: [
    state('start'),
    state('one', { end: { on: 'timed', afterMs: 0 } }),
    state('two', { end: { on: 'condition', when: '1 < 2' }, next: [{ to: 'one', atMost: 10_000 }] }),
    state('rest'),
  ],
})

export const manyNames = (wrong: number, right: number): ExperimentDefinition => ({
  name: 'Misspelt',
  variables: named(right, 'variable_name_', () => 0),
  states: many(10, (at) => state(`s${at}`, { onEnter: named(wrong / 10, `variable_nane_${at}`, () => '1') })),
})

export function unknownTypes(bytes: number): ExperimentDefinition {
  const component = (index: number) => ({ id: `c${index}`, type: `multiple_chocie_${index}` })
  const count = Math.floor(bytes / (JSON.stringify(component(1_000)).length + 1))
  return {
    name: 'Unknown',
    states: many(Math.ceil(count / 200), (at) => state(`s${at}`, { components: many(200, component) })),
  }
}

export const manyComponents = (count: number): ExperimentDefinition => ({
  name: 'Many components',
  states: many(count / 200, (at) =>
    state(`s${at}`, { components: many(200, (index) => ({ id: `c${index}`, type: 'slider' })) }),
  ),
})

/** Twenty videos that one role commands, and 120,000 positions at which they stop for ratings. */
export function manyStops(): ExperimentDefinition {
  const videos = Array.from({ length: 20 }, (_, at) => ({
    id: `video${at}`,
    type: 'video',
    src: '/film.mp4',
    controlledBy: 'viewer',
  }))
  const ratings = Array.from({ length: 120 }, (_, at) => ({
    id: `rating${at}`,
    type: 'sparse_rating',
    mediaId: `video${at % 20}`,
    atMs: Array.from({ length: 1_000 }, (_, stop) => stop * 6 + at),
  }))
  return { name: 'Stops', states: [{ id: 's', components: [...videos, ...ratings] }], roles: ['viewer'] }
}
