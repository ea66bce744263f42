import { expect, test } from 'vitest'
import type { ExperimentDefinition } from '../definition/definition.ts'
import { mediaUsesIn } from './media-uses.ts'
import { videoUsesIn } from './video-uses.ts'

const study = (parts: Partial<ExperimentDefinition>): ExperimentDefinition => ({
  name: 'Faces',
  states: [{ id: 'look', components: [] }],
  ...parts,
})

const namesIn = (definition: ExperimentDefinition, role?: string | null) =>
  mediaUsesIn(definition, role).map(({ named, path }) => ['name' in named ? named.name : named.mediaId, path])

test('[V28] variables name files in their first values and in their expressions', () => {
  const variables = {
    face: 'media:short.png',
    'a/b': { initial: { deep: ['media:deep.png', 'no file'] } },
    drawn: { scope: 'participant', initial: { expression: `draw(['media:one.png', "media:two.png"])` } },
    shown: { compute: "face == 1 ? 'media:three.png' : 'plain'" },
    number: 7,
    nothing: null,
  }
  expect(namesIn(study({ variables }))).toEqual([
    ['short.png', '/variables/face'],
    ['deep.png', '/variables/a~1b/initial/deep/0'],
    ['one.png', '/variables/drawn/initial/expression'],
    ['two.png', '/variables/drawn/initial/expression'],
    ['three.png', '/variables/shown/compute'],
  ])
})

test('[V29] participants are not told the names in variables that are secret', () => {
  const variables = {
    open: 'media:open.png',
    hidden: { initial: 'media:hidden.png', secret: true },
  }
  expect(namesIn(study({ variables }))).toHaveLength(2)
  expect(namesIn(study({ variables }), null)).toEqual([['open.png', '/variables/open']])
})

test('[V28] what states assign to variables names files, for settings that show it later', () => {
  const states = [
    {
      id: 'choose',
      components: [],
      onEnter: { face: "round == 1 ? 'media:first.png' : 'media:later.png'" },
      onEnd: { hidden: "'media:hidden.png'" },
    },
  ]
  const variables = { face: null, hidden: { secret: true } }
  const told = [
    ['first.png', '/states/0/onEnter/face'],
    ['later.png', '/states/0/onEnter/face'],
  ]
  const definition = study({ states, variables })
  expect(namesIn(definition)).toEqual([...told, ['hidden.png', '/states/0/onEnd/hidden']])
  expect(namesIn(definition, null)).toEqual(told)
})

test('[V28] settings from values name files in their expressions, and a role is told those of its own components', () => {
  const components = [
    { id: 'one', type: 'image', src: { from: "round == 1 ? 'media:one.png' : 'media:two.png'" }, alt: 'A' },
    { id: 'two', type: 'image', src: "{{ first ? 'media:three.png' : face }}", alt: 'B', roles: ['seller'] },
  ]
  const definition = study({ states: [{ id: 'look', components }] })
  const mine = [
    ['one.png', '/states/0/components/0/src/from'],
    ['two.png', '/states/0/components/0/src/from'],
  ]
  expect(namesIn(definition)).toEqual([...mine, ['three.png', '/states/0/components/1/src']])
  expect(namesIn(definition, 'buyer')).toEqual(mine)
})

test('[V27,V29] names that are only compared with, or stand in values of texts, are checked; participants are not told them', () => {
  const options = ['yes', { value: 'no', when: "face != 'media:option.png'" }]
  const label = { en: 'Which?', de: "Welches? {{ face == 'media:label.png' ? 'dies' : '' }}" }
  const choice = { id: 'kind', type: 'multiple_choice', label, options, when: "face == 'media:part.png'" }
  const state = {
    id: 'look',
    instructions: "You saw {{ face == 'media:text.png' ? 'a {{ face' : 'none' }}, not 'media:prose.png'.",
    components: [choice],
    end: { on: 'condition' as const, when: "face == 'media:end.png'" },
    next: [{ to: 'end', when: "face == 'media:next.png'" }],
  }
  const blocks = [
    {
      id: 'b',
      states: ['look'],
      when: "face == 'media:when.png'",
      until: "face == 'media:until.png'",
      trials: { table: 't', where: "trial.a == 'media:where.png'", until: "trial.a == 'media:last.png'" },
    },
  ]
  const definition = study({ states: [state], blocks })
  expect(namesIn(definition)).toEqual([
    ['end.png', '/states/0/end/when'],
    ['next.png', '/states/0/next/0/when'],
    ['part.png', '/states/0/components/0/when'],
    ['option.png', '/states/0/components/0/options/1/when'],
    ['when.png', '/blocks/0/when'],
    ['until.png', '/blocks/0/until'],
    ['where.png', '/blocks/0/trials/where'],
    ['last.png', '/blocks/0/trials/until'],
    ['text.png', '/states/0/instructions'],
    ['label.png', '/states/0/components/0/label'],
  ])
  expect(namesIn(definition, null)).toEqual([])
})

test('[V28] conditions and the levels of factors may be names of files', () => {
  const factors = { face: ['media:happy.png', 'media:sad.png'], frame: ['gain', 'loss'] }
  expect(namesIn(study({ conditions: { factors } }), null)).toEqual([
    ['happy.png', '/conditions/factors/face/0'],
    ['sad.png', '/conditions/factors/face/1'],
  ])
  expect(namesIn(study({ conditions: { values: ['control', 'media:a.png'] } }))).toEqual([
    ['a.png', '/conditions/values/1'],
  ])
})

test('[V28] tables name files in their cells, and a definition without names has no uses', () => {
  const tables = { faces: { rows: [{ face: 'media:cell.png', index: 1 }] } }
  expect(namesIn(study({ tables }), null)).toEqual([['cell.png', '/tables/faces/rows/0/face']])
  expect(namesIn(study({}))).toEqual([])
})

test('[V29,F85] where roles rotate, participants are told the files and videos of every role that they may come to have', () => {
  const picture = { id: 'face', type: 'image', src: 'media:face.png', roles: ['seller'] }
  const video = { id: 'film', type: 'video', videoId: 'vid_1', roles: ['seller'] }
  const states = [
    { id: 'sell', roles: ['seller'], components: [picture, video] },
    { id: 'after', roles: ['seller'], components: [{ ...picture, src: 'media:after.png' }] },
  ]
  const roles = ['buyer', 'seller']
  const block = { id: 'game', states: ['sell'], rounds: 2 }
  const seen = (rotateRoles: boolean, role: string | null) => {
    const definition = study({ states, roles, blocks: [{ ...block, rotateRoles }] })
    return [namesIn(definition, role).map(([name]) => name), videoUsesIn(definition, role).length]
  }
  expect(seen(true, 'buyer')).toEqual([['face.png'], 1])
  expect(seen(false, 'buyer')).toEqual([[], 0])
  expect(seen(true, null)).toEqual([[], 0])
})

test('[V28,V29] rows of a table are looked through once, however often somebody asks, and named where they stand', () => {
  let looked = 0
  const row = {
    get face() {
      looked++
      return 'media:row.png'
    },
  }
  const rows = [{ face: 'none' }, row]
  const tables = (name: string) => ({ [name]: { rows } })
  expect(namesIn(study({ tables: tables('one') }))).toEqual([['row.png', '/tables/one/rows/1/face']])
  expect(namesIn(study({ tables: tables('two') }), null)).toEqual([['row.png', '/tables/two/rows/1/face']])
  expect(looked).toBe(1)
})
