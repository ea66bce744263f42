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
