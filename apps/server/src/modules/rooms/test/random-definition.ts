import type { Component, ExperimentDefinition, State } from '@atrium/contract'
import fc from 'fast-check'
import { randomDesign, withDesign } from './random-design.ts'

/** The roles of a random room; each member has one of them. */
export const randomRoles = ['a', 'b']
type Block = NonNullable<ExperimentDefinition['blocks']>[number]
type Audience = 'a' | 'b' | undefined

/** Marks every text that only one role may see, so that tests detect it where it does not belong. */
export const onlyFor = (role: string): string => `only-for-${role}`
/** Marks the value of every secret variable. */
export const secretMark = 'hush'

/** One component of each kind that matters to a room. Some have names that every JavaScript object inherits. */
const templates: readonly Component[] = [
  component('rate', 'slider', { saveTo: 'score' }),
  component('pick', 'multiple_choice', { options: ['a', 'b'], correct: 'a', saveTo: 'own' }),
  component('note', 'text_input', { required: false, saveTo: 'hidden' }),
  component('talk', 'chat', {}),
  component('whisper', 'chat', { maxLength: 20 }),
  component('agree', 'consent', { minReadMs: 1_000 }),
  component('tension', 'continuous_rating', { required: true }),
  component('liking', 'sparse_rating', { atMs: [0, 2_000], required: true }),
  component('constructor', 'continuous_rating', { required: true }),
  component('film', 'video', { src: 'https://example.org/film.mp4', durationMs: 6_000, waitForAllMs: 3_000 }),
  component('quiz', 'instructions', {
    questions: [{ id: 'q', label: '?', options: ['x', 'y'], correct: 'x' }],
    maxAttempts: 2,
    onFail: 'end',
  }),
  component('grid', 'matrix', { rows: ['read', 'walk'], columns: ['never', 'often'], allRows: false }),
  component('widget', 'a_type_that_nobody_knows', {}),
  component('spot', 'hot_spot', { src: 'https://example.org/street.jpg' }),
  component('about', 'slider', {
    ...{ forEach: 'others', required: false, label: '{{each.alias}}: {{each.own}}' },
    max: { from: '50 + each.own' },
  }),
]

const globalTemplates: readonly Component[] = [
  component('lobby', 'chat', {}),
  component('mood', 'continuous_rating', {}),
  component('hint', 'text', { text: 'Take your time.' }),
  component('clock', 'timer', {}),
]

/** Components to which a response may be attempted. */
export const answerable = [...templates, ...globalTemplates].map(({ id }) => id)
export const chats = ['talk', 'whisper', 'lobby']

function component(id: string, type: string, settings: object): Component {
  return { ...settings, id, type }
}

const audience: fc.Arbitrary<Audience> = fc.constantFrom<Audience[]>(undefined, undefined, 'a', 'b')
const upTo = (max: number) => fc.integer({ min: 1, max })
/** Sometimes absent: then the clock ends the state only by abandonment. */
const latest = fc.option(upTo(20_000), { nil: undefined, freq: 6 })

const endOf = (components: readonly Component[]): fc.Arbitrary<State['end']> =>
  fc.oneof(
    fc.constant(undefined),
    latest.map((afterMs) => ({ on: 'button' as const, ...timed(afterMs) })),
    upTo(5_000).map((afterMs) => ({ on: 'timed' as const, afterMs })),
    latest.map((afterMs) => ({ on: 'all_responded' as const, ...timed(afterMs) })),
    latest.map((afterMs) => ({ on: 'any_responded' as const, ...timed(afterMs) })),
    fc
      .record({
        when: fc.constantFrom('score > 2', 'count(responses.rate) > 0', 'ready > 0', 'visit > 4'),
        afterMs: upTo(20_000),
      })
      .map((more) => ({ on: 'condition' as const, ...more })),
    ...(components.some(({ id }) => id === 'film')
      ? [latest.map((afterMs) => ({ on: 'media_ended' as const, componentId: 'film', ...timed(afterMs) }))]
      : []),
  )

/** Sometimes, everyone has a time of their own as well. */
const timed = (afterMs: number | undefined) =>
  afterMs === undefined
    ? {}
    : { afterMs, ...(afterMs % 3 === 0 && { perPersonMs: 1 + Math.floor(afterMs / 2) }) }

/** R57: what a deadline may mean in any state. */
const timeoutMeaning = fc.option(
  fc.constantFrom({ outcome: 'TIMEOUT' }, { to: 'end', outcome: 'too_slow' }, { to: 'end' }),
  { nil: undefined, freq: 2 },
)

const withoutLabel = ['consent', 'instructions', 'text']

/** For everyone, or for one role, in which case all its texts are marked. */
const forRole = (one: Component, role: Audience): Component =>
  role === undefined
    ? one
    : component(one.id, one.type, {
        ...one,
        [withoutLabel.includes(one.type) ? 'text' : 'label']: onlyFor(role),
        roles: [role],
        ...(one.id === 'film' && { controlledBy: role }),
      })

/** Conditions of which the values are in every snapshot. */
export const decidedByValues: Readonly<Record<string, (score: number, own: number) => boolean>> = {
  'score > 2': (score) => score > 2,
  'own == 1': (_score, own) => own === 1,
}
const otherConditions = [
  'visit < 3',
  'lot > 3',
  "condition.form == 'x'",
  "role == 'a'",
  'sum(others.own) > 2',
]
const decidedByAnswers = new Map([
  ['rate', ['answers.rate > 40', 'answers.rate > 40 && score > 2']],
  ['pick', ["answers.pick == 'a'", "answers.pick == 'b'"]],
  ['grid', ["answers.grid.read == 'often'"]],
  ['about', ['sum(values(answers.about)) > 3']],
])

/** R61: of a component after these, so that none depends on itself. */
const conditionAfter = (before: readonly Component[]): fc.Arbitrary<string | undefined> =>
  fc.option(
    fc.constantFrom(
      ...Object.keys(decidedByValues),
      ...otherConditions,
      ...before.flatMap(({ id }) => decidedByAnswers.get(id) ?? []),
    ),
    { nil: undefined, freq: 2 },
  )

/** Some have a condition, and some of those with options or rows have one for the last of them. */
const withConditions = (components: readonly Component[]): fc.Arbitrary<Component[]> =>
  fc.tuple(
    ...components.map((one, at) =>
      fc
        .record({
          when: conditionAfter(components.slice(0, at)),
          last: conditionAfter(components.slice(0, at)),
        })
        .map(
          ({ when, last }): Component => ({
            ...withLastEntry(one, last),
            ...(when !== undefined && { when }),
          }),
        ),
    ),
  )

function withLastEntry(one: Component, when: string | undefined): Component {
  if (when === undefined) return one
  if (one.id === 'pick') return { ...one, ...{ options: ['a', { value: 'b', when }] } }
  return one.id === 'grid' ? { ...one, ...{ rows: ['read', { value: 'walk', when }] } } : one
}

const randomState = (audiences: Record<string, Audience>, people: number) =>
  fc
    .subarray(
      templates.filter(({ forEach }) => people > 1 || forEach === undefined),
      { maxLength: 5 },
    )
    .chain(withConditions)
    .chain((ordered) => fc.boolean().map((isReversed) => (isReversed ? ordered.toReversed() : ordered)))
    .chain((components) =>
      fc.record({
        components: fc.constant(components),
        end: endOf(components),
        role: audience,
        onTimeout: timeoutMeaning,
      }),
    )
    .map(({ components, end, role, onTimeout }) => ({
      components: components.map((one) => forRole(one, audiences[one.id])),
      ...(end
        ? {
            end: {
              ...end,
              ...(role && end.on === 'button' ? { label: onlyFor(role) } : {}),
              ...(end.afterMs !== undefined && onTimeout ? { onTimeout } : {}),
            },
          }
        : {}),
      ...(role ? { roles: [role], name: onlyFor(role), instructions: onlyFor(role) } : {}),
    }))

/** A block in the block, with all that a block may have. */
const innerShape = fc.record({
  rounds: upTo(2),
  when: fc.option(fc.constantFrom('score < 4', 'visit > 3'), { nil: undefined, freq: 2 }),
  until: fc.option(fc.constantFrom('score > 2', 'round == 1'), { nil: undefined, freq: 2 }),
  byEach: fc.boolean(),
  blockMs: fc.option(upTo(10_000), { nil: undefined, freq: 2 }),
})

const skipping = (when: string, byEach: boolean): Partial<Block> =>
  byEach ? { per: 'participant', when: 'own + lot > 4' } : { when }

function innerBlock(
  {
    rounds,
    when,
    until,
    byEach,
    blockMs,
  }: typeof innerShape extends fc.Arbitrary<infer Inner> ? Inner : never,
  states: string[],
  { isShared, rotates }: { isShared: boolean; rotates: boolean },
): Block {
  return {
    ...{ id: 'inner', states, rounds },
    ...(when !== undefined && skipping(when, byEach && isShared)),
    ...(until !== undefined && rounds > 1 && { until }),
    ...(blockMs !== undefined && { timeLimit: { afterMs: blockMs } }),
    ...(rotates && rounds > 1 && isShared && { rotateRoles: true }),
  }
}

/** From everyone joined with everyone to a pair, which may change whenever a state ends. */
const networks = fc.constantFrom<NonNullable<ExperimentDefinition['network']>[]>(
  { kind: 'complete' },
  { kind: 'edges', edges: [[1, 2]] },
)
const changing = { rewire: { cut: 'draw(neighbours.alias)', join: 'draw(others.alias)' } }

const shape = fc.record({
  inner: fc.option(innerShape, { nil: undefined, freq: 2 }),
  rounds: upTo(3),
  when: fc.option(fc.constantFrom('score < 3', 'visit > 2'), { nil: undefined, freq: 2 }),
  until: fc.option(fc.constantFrom('score > 2', 'round == 2'), { nil: undefined, freq: 2 }),
  shuffle: fc.boolean(),
  rotates: fc.constantFrom('outer' as const, 'inner' as const, 'none' as const),
  byEach: fc.boolean(),
  blockMs: fc.option(upTo(20_000), { nil: undefined, freq: 2 }),
  studyMs: fc.option(upTo(30_000), { nil: undefined, freq: 2 }),
  order: fc.constantFrom('fixed' as const, 'random' as const, 'latin_square' as const),
  exit: fc.constantFrom('none' as const, 'loop' as const, 'end' as const, 'outcome' as const),
  pacing: fc.constantFrom('room' as const, 'participant' as const),
  policy: fc.constantFrom(
    'wait' as const,
    'continue' as const,
    'replace_with_agent' as const,
    'end' as const,
  ),
  graceMs: fc.integer({ min: 0, max: 10_000 }),
  globals: fc.subarray([...globalTemplates]),
  hides: fc.boolean(),
  network: fc.option(networks, { nil: undefined, freq: 2 }),
})

const exits = {
  none: undefined,
  loop: [{ to: 's0', when: 'score < 6', atMost: 2 }],
  end: [{ to: 'end', when: 'score > 50' }],
  outcome: [{ to: 'end', when: 'score > 3', outcome: 'SCREENED_OUT' }, { to: 'end' }],
} satisfies Record<string, State['next']>

/**
 * Small definitions with every kind of ending, bounded loops, rounds, roles of states and components, global components,
 * streams, several chats, variables of every kind, including secret ones, factors and trials. Most of them are valid.
 */
export const randomDefinition = (people: number): fc.Arbitrary<ExperimentDefinition> =>
  fc
    .record(Object.fromEntries([...answerable].map((id) => [id, audience])))
    .chain((audiences) =>
      fc.record({
        audiences: fc.constant(audiences),
        states: fc.array(randomState(audiences, people), { minLength: 1, maxLength: 4 }),
        shape,
        design: randomDesign,
        globalStates: fc.option(fc.constant<string[]>(['s0']), { nil: undefined }),
      }),
    )
    .map(({ audiences, states, globalStates, shape, design }) => {
      const next: State['next'] = exits[shape.exit]
      const ids = states.map((_, index) => `s${index}`)
      const isShared = shape.pacing === 'room' && people > 1
      const certain = shape.when === undefined || ids.length === 1 ? [] : ids.slice(0, 1)
      const inBlock = ids.slice(certain.length)
      const inner = shape.inner && inBlock.length > 1 ? inBlock.slice(-2) : []
      return withDesign(design, secretMark, {
        name: 'random',
        states: states.map((state, index) => ({
          id: `s${index}`,
          ...state,
          onEnter: { own: 'visit', hiddenFromAll: `'${secretMark}-' + state`, lot: 'drawInt(1, 6)' },
          onEnd: { score: 'score + 1', lots: 'shuffle([1, 2, 3])' },
          ...(shape.shuffle && { shuffle: true }),
          ...(people > 1 && shape.network && changing),
          ...(next && index === states.length - 1 ? { next } : {}),
        })),
        roles: randomRoles,
        blocks: [
          {
            ...{ id: 'all', order: shape.order, rounds: shape.rounds },
            ...(shape.until !== undefined && shape.rounds > 1 && { until: shape.until }),
            ...(shape.blockMs !== undefined && { timeLimit: { afterMs: shape.blockMs } }),
            // Something is played in any case.
            ...(shape.rotates === 'outer' && shape.rounds > 1 && isShared && { rotateRoles: true }),
            ...(certain.length > 0 &&
              shape.when !== undefined &&
              skipping(shape.when, shape.byEach && isShared)),
            states: [...inBlock.filter((id) => !inner.includes(id)), ...(inner.length > 0 ? ['inner'] : [])],
          },
          ...(inner.length > 0 && shape.inner
            ? [innerBlock(shape.inner, inner, { isShared, rotates: shape.rotates === 'inner' })]
            : []),
        ],
        globalComponents: shape.globals.map((one) => ({
          ...forRole(one, audiences[one.id]),
          ...(globalStates ? { states: globalStates } : {}),
        })),
        variables: {
          score: 0,
          lot: { scope: 'participant' as const, initial: { expression: 'drawNumber(0, 1)' } },
          lots: { initial: { expression: 'sample([1, 2, 3], 2)' } },
          own: { scope: 'participant' as const, initial: 0 },
          hidden: { scope: 'participant' as const, initial: `${secretMark}-0`, secret: true },
          hiddenFromAll: { initial: `${secretMark}-0`, secret: true },
          twice: { compute: 'score * 2' },
          constructor: { scope: 'participant' as const, compute: 'own' },
        },
        ...(shape.studyMs !== undefined && {
          timeLimit: { afterMs: shape.studyMs, onTimeout: { outcome: 'LATE' }, show: shape.shuffle },
        }),
        ...(shape.hides && { disclosure: { agents: 'hidden' as const } }),
        pacing: shape.pacing,
        matching: { groupSize: Math.max(1, people) },
        ...(people > 1 && shape.network && { network: shape.network }),
        dropout: { policy: shape.policy, graceMs: shape.graceMs },
      })
    })
