import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExperimentDefinition, paradataKinds } from '@atrium/contract'
import { componentTypes } from '@atrium/contract/components'
import { checkDefinition } from '@atrium/definition-checks'
import { anyDefinition, randomComponent, settingsByType } from '@atrium/testkit/definitions'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomDefinition } from '../../server/src/modules/rooms/test/random-definition.ts'
import { addComponent, duplicateItem, typesFor } from '../src/console/builder/core/components.ts'
import {
  listAt,
  type Path,
  pathOf,
  pointerOf,
  valueAt,
  withItem,
  withMoved,
  withoutValue,
  withValue,
} from '../src/console/builder/core/document.ts'
import { begin, edit, type History, redo, settle, undo } from '../src/console/builder/core/history.ts'
import { partsIn, stateIdsIn, statesIn, statesOf } from '../src/console/builder/core/parts.ts'
import {
  addStage,
  deleteStage,
  divideIntoStages,
  moveState,
  withoutStages,
} from '../src/console/builder/core/stages.ts'
import {
  addState,
  deleteState,
  duplicateState,
  nameStateId,
  renameState,
} from '../src/console/builder/core/states.ts'
import { withNewName } from '../src/console/builder/core/tables.ts'
import { graphOf, wholeGraphOf } from '../src/console/builder/flow/flow-graph.ts'
import { layOut } from '../src/console/builder/flow/flow-layout.ts'
import { canShow, kindOf, memberOf, type Schema } from '../src/console/builder/form/schema.ts'
import { namedAt, namesIn } from '../src/console/builder/names.ts'
import { sections, selectionFor } from '../src/console/builder/sections.ts'
import { schemaOfComponent } from '../src/console/builder/state-schema.ts'

const examples = join(import.meta.dirname, '..', '..', '..', 'examples')
const exampleDefinitions = readdirSync(examples)
  .filter((file) => file.endsWith('.json'))
  .map((file): ExperimentDefinition => JSON.parse(readFileSync(join(examples, file), 'utf8')))

/** Any definition that the generators or the examples know, as it comes from the server. */
const definitions = fc
  .oneof(anyDefinition, randomDefinition(2), fc.constantFrom(...exampleDefinitions))
  .map((definition): unknown => JSON.parse(JSON.stringify(definition)))

/** R68: in stages as well, of which the last is new. */
const inStages = fc
  .tuple(definitions, fc.boolean())
  .map(([definition, isStaged]) =>
    isStaged ? addStage(divideIntoStages(definition), 1, 'New state') : definition,
  )

/** The states of some part. */
const listOf = (document: unknown, pick: number): Path => {
  const parts = partsIn(document)
  return statesOf(parts[pick % parts.length] ?? [])
}

function placesIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Object.entries(value).flatMap(([key, child]) =>
    placesIn(child, [...at, Array.isArray(value) ? Number(key) : key]),
  )
  return [at, ...inner]
}

/** Edits that the views of the builder make, and some that they make only by mistake. */
const edits: fc.Arbitrary<(document: unknown) => unknown> = fc.oneof(
  fc.tuple(fc.nat(), fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('', 'x', 0, true))).map(
    ([pick, value]) =>
      (document: unknown) =>
        withValue(document, placeAt(document, pick), value),
  ),
  fc.nat().map((pick) => (document: unknown) => withoutValue(document, placeAt(document, pick))),
  fc.nat(8).map((at) => (document: unknown) => addState(document, listOf(document, at), at, 'New state')),
  fc.nat(8).map((at) => (document: unknown) => duplicateState(document, listOf(document, at), at)),
  fc.nat(8).map((at) => (document: unknown) => deleteState(document, [...listOf(document, at), at])),
  fc.tuple(fc.nat(8), fc.constantFrom('s0', 'fresh', '', '__proto__')).map(
    ([at, id]) =>
      (document: unknown) =>
        renameState(document, [...listOf(document, at), at], id),
  ),
  fc.tuple(fc.nat(8), fc.nat(8)).map(
    ([from, to]) =>
      (document: unknown) =>
        moveState(document, [...listOf(document, from), from], listOf(document, to), to),
  ),
  fc.nat(3).map((at) => (document: unknown) => addStage(document, at, 'New state')),
  fc.nat(3).map((at) => (document: unknown) => deleteStage(document, at)),
  fc.nat(3).map((at) => (document: unknown) => withMoved(document, ['stages'], at, at + 1)),
  fc.constantFrom(divideIntoStages, withoutStages),
  fc.tuple(fc.nat(4), fc.constantFrom(...Object.keys(componentTypes))).map(
    ([at, type]) =>
      (document: unknown) =>
        addComponent(document, [...listOf(document, at), at, 'components'], type),
  ),
  fc.tuple(fc.nat(4), fc.nat(3)).map(
    ([at, item]) =>
      (document: unknown) =>
        duplicateItem(document, [...listOf(document, at), at, 'components'], item),
  ),
  fc.tuple(fc.nat(), fc.constantFrom('__proto__', 'constructor', 'other')).map(
    ([pick, name]) =>
      (document: unknown) =>
        withNewName(document, placeAt(document, pick), name),
  ),
)

const placeAt = (document: unknown, pick: number): Path => {
  const places = placesIn(document)
  return places[pick % places.length] ?? []
}

test('a definition that is opened and saved is the same, and so is each part that is written as it was', () => {
  fc.assert(
    fc.property(inStages, fc.nat(), (definition, pick) => {
      const saved = JSON.stringify(begin(definition).present)
      expect(saved).toBe(JSON.stringify(definition))
      const place = placeAt(definition, pick)
      const written = withValue(definition, pathOf(definition, pointerOf(place)), valueAt(definition, place))
      expect(JSON.stringify(written)).toBe(saved)
    }),
  )
})

test('after any edits, undo gives every earlier document and redo every later one', () => {
  fc.assert(
    fc.property(inStages, fc.array(fc.tuple(edits, fc.boolean()), { maxLength: 15 }), (definition, made) => {
      const original = JSON.stringify(definition)
      let history: History = begin(definition)
      const steps = [history]
      for (const [change, isSettled] of made) {
        const next = edit(isSettled ? settle(history) : history, change(history.present), 'a field')
        if (next.past.length > history.past.length) steps.push(next)
        else steps[steps.length - 1] = next
        history = next
      }
      const last = JSON.stringify(history.present)
      for (const step of steps.toReversed()) {
        expect(history.present).toEqual(step.present)
        history = undo(history)
      }
      expect(JSON.stringify(history.present)).toBe(original)
      for (const _ of steps) history = redo(history)
      expect(JSON.stringify(history.present)).toBe(last)
      // Nothing was changed in place.
      expect(JSON.stringify(definition)).toBe(original)
    }),
  )
})

test('a renamed table is found under its new name by the blocks that play its rows', () => {
  const blocks = (table: string) => [
    { id: 'practice', states: ['look'], trials: { table, sample: 2 } },
    { id: 'main', states: ['look'], trials: { table: 'others' } },
    { id: 'plain', states: ['look'] },
  ]
  const study = (table: string) => ({
    tables: { [table]: { rows: [{ face: 'a.png' }] }, others: { rows: [{ words: 1 }] } },
    blocks: blocks(table),
  })
  expect(withNewName(study('words'), ['tables', 'words'], 'faces')).toEqual(study('faces'))
  expect(withNewName(study('words'), ['tables', 'words'], 'others')).toEqual(study('words'))
  const column = ['tables', 'words', 'rows', 0, 'face']
  expect(withNewName(study('words'), column, 'picture')).toMatchObject({ blocks: blocks('words') })
})

test('a renamed state is found under its new name by everything that referred to it', () => {
  fc.assert(
    fc.property(definitions, fc.boolean(), fc.nat(), (written, isStaged, pick) => {
      const definition = isStaged ? divideIntoStages(written) : written
      const states = statesIn(definition)
      const place = states[pick % states.length] ?? []
      const before = valueAt(definition, [...place, 'id'])
      const renamed = renameState(definition, place, 'quite-another')
      const issues = (document: unknown) =>
        checkDefinition(withoutStages(document) as ExperimentDefinition).map(({ path }) => path)
      const isUnique = stateIdsIn(definition).filter((id) => id === before).length === 1
      if (isUnique) {
        expect(issues(renamed)).toEqual(issues(definition))
        expect(renameState(renamed, place, String(before))).toEqual(definition)
      }
    }),
  )
})

test('every part of a definition has a form that can show it, or is edited as JSON', () => {
  const unshown = (schema: Schema, value: unknown): unknown[] => {
    const field = kindOf(schema)
    if (!canShow(field, value)) return [value]
    if (field.kind === 'union') {
      const member = field.members[memberOf(field.members, value) ?? -1]
      return member ? unshown(member, value) : [value]
    }
    if (field.kind === 'list' && Array.isArray(value))
      return value.flatMap((item) => unshown(field.items, item))
    if (field.kind === 'object')
      return Object.entries(value as object).flatMap(([name, inner]) =>
        field.properties[name] ? unshown(field.properties[name], inner) : [],
      )
    return []
  }
  fc.assert(
    fc.property(fc.constantFrom(...exampleDefinitions), (definition) => {
      expect(unshown(ExperimentDefinition as unknown as Schema, definition)).toEqual([])
    }),
  )
  for (const type of Object.keys(settingsByType))
    fc.assert(
      fc.property(randomComponent(type), (component) => {
        expect(unshown(schemaOfComponent(type, false), component)).toEqual([])
      }),
      { numRuns: 20 },
    )
})

test('a list of different values out of some is a choice of several', () => {
  const field = kindOf(ExperimentDefinition.properties.paradata as unknown as Schema)
  expect(field).toEqual({ kind: 'set', options: [...paradataKinds] })
  expect(canShow(field, ['paste', 'focus'])).toBe(true)
  // What a later version has written is edited as JSON, not dropped.
  expect(canShow(field, ['paste', 'unheardOf'])).toBe(false)
})

test('every type of the catalogue can be added, and is valid as it is added', () => {
  const types = new Set([...typesFor(['states', 0, 'components']), ...typesFor(['globalComponents'])])
  expect([...types].map(({ type }) => type).toSorted()).toEqual(Object.keys(componentTypes).toSorted())
  const document = { name: 'x', states: [{ id: 's', components: [] }] }
  for (const { type, fits } of types) {
    const added = addComponent(
      addComponent(document, ['states', 0, 'components'], type),
      ['states', 0, 'components'],
      type,
    )
    const [first, second] = listAt(added, ['states', 0, 'components'])
    expect(fits(first as Record<string, unknown>), type).toBe(true)
    expect(valueAt(first, ['id'])).not.toBe(valueAt(second, ['id']))
  }
})

test('each property of a definition belongs to one section of the outline', () => {
  const keys: string[] = sections.flatMap((section) => section.keys)
  expect(keys.toSorted()).toEqual(
    Object.keys(ExperimentDefinition.properties)
      .filter((key) => key !== 'states' && key !== 'stages')
      .toSorted(),
  )
  expect(selectionFor('/states/3/end')).toEqual({ kind: 'state', at: '/states/3' })
  expect(selectionFor('/matching/groupSize')).toEqual({ kind: 'section', id: 'group' })
  expect(selectionFor('')).toEqual({ kind: 'section', id: 'basics' })
  expect(selectionFor('/unheardOf')).toEqual({ kind: 'section', id: 'other' })
})

test('the flow of any document can be drawn: no two boxes overlap, every arrow has a way', () => {
  fc.assert(
    fc.property(inStages, fc.array(edits, { maxLength: 5 }), (definition, made) => {
      const document = made.reduce((present, change) => change(present), definition)
      for (const graph of [
        wholeGraphOf(document),
        ...partsIn(document).map((part) => graphOf(document, part)),
      ]) {
        const { places, paths } = layOut(graph)
        expect(places.length).toBe(graph.end + 1)
        expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(places.length)
        for (const { path } of paths) expect(path).not.toMatch(/NaN|undefined/)
      }
    }),
  )
})

test('deleting a state leaves nothing that enumerates it', () => {
  const document = {
    states: [
      { id: 'a', components: [] },
      { id: 'b', components: [], next: [{ to: 'a' }] },
    ],
    blocks: [
      { id: 'one', states: ['a'] },
      { id: 'two', states: ['a', 'b'] },
    ],
    globalComponents: [{ id: 'chat', type: 'chat', states: ['a', 'b'] }],
  }
  expect(deleteState(document, ['states', 0])).toEqual({
    states: [{ id: 'b', components: [], next: [{ to: 'a' }] }],
    blocks: [{ id: 'two', states: ['b'] }],
    globalComponents: [{ id: 'chat', type: 'chat', states: ['b'] }],
  })
  expect(withItem(document, ['new'], 0, 1)).toEqual({ ...document, new: [1] })
})

test('deleting a state leaves no block in a block that would be empty', () => {
  const document = {
    states: [{ id: 'a' }, { id: 'b' }],
    blocks: [
      { id: 'outer', states: ['inner', 'b'] },
      { id: 'inner', states: ['inmost'] },
      { id: 'inmost', states: ['a'] },
    ],
  }
  expect(deleteState(document, ['states', 0])).toEqual({
    states: [{ id: 'b' }],
    blocks: [{ id: 'outer', states: ['b'] }],
  })
  expect(deleteState(deleteState(document, ['states', 0]), ['states', 0])).toEqual({ states: [] })
})

test('a block in a block has a frame within its frame, and can be chosen as a member of it', () => {
  const document = {
    states: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
    blocks: [
      { id: 'outer', states: ['inner', 'c'], rounds: 2 },
      { id: 'inner', states: ['a', 'b'], order: 'random' },
    ],
  }
  expect(graphOf(document).blocks).toEqual([
    { id: 'outer', states: [0, 1, 2], members: 2, depth: 1, rounds: 2, order: 'fixed' },
    { id: 'inner', states: [0, 1], members: 2, depth: 0, rounds: 1, order: 'random' },
  ])
  const circle = { states: [{ id: 'a' }], blocks: [{ id: 'x', states: ['x', 'a'] }] }
  expect(graphOf(circle).blocks).toMatchObject([{ id: 'x', states: [0] }])
  const { byProperty } = namesIn(document)
  expect(byProperty.get(namedAt('states', ['blocks', 0, 'states', 1]))).toEqual([
    'a',
    'b',
    'c',
    'outer',
    'inner',
  ])
  expect(byProperty.get(namedAt('states', ['globalComponents', 0, 'states', 0]))).toEqual(['a', 'b', 'c'])
})

test('a new state gets an id like its name, until it is published', () => {
  const document = { states: [{ id: 'talk' }, { id: 'state-2', name: ' Über Talk, again! ' }] }
  const idOf = (changed: unknown) => valueAt(changed, ['states', 1, 'id'])
  expect(idOf(nameStateId(document, ['states', 1], new Set()))).toBe('uber-talk-again')
  expect(idOf(nameStateId(document, ['states', 1], new Set(['state-2'])))).toBe('state-2')
  const same = { states: [{ id: 'talk' }, { id: 'state', name: 'Talk' }] }
  expect(idOf(nameStateId(same, ['states', 1], new Set()))).toBe('talk-2')
  const chosen = { states: [{ id: 'talk' }, { id: 'mine', name: 'Talk' }] }
  expect(nameStateId(chosen, ['states', 1], new Set())).toBe(chosen)
})
