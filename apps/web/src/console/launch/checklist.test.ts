import type { ExperimentDefinition, ParadataKind } from '@atrium/contract'
import { smallestDefinition } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { launchChecklist } from './checklist.ts'

const facts = {
  definition: smallestDefinition(),
  revision: 2,
  findings: 0,
  hasDraft: false,
  pilots: [],
}
const open = (more: Partial<Parameters<typeof launchChecklist>[0]>) =>
  launchChecklist({ ...facts, ...more })
    .filter(({ state }) => state === 'open')
    .map(({ name }) => name)

const pilot = (revision: number, endReason: string | null) => ({
  pilotId: 'pilot_1',
  createdAt: 0,
  revision,
  agentsPerRoom: 1,
  budget: null,
  progress: { waiting: 0, running: 0, ended: 1 },
  rooms: [{ roomId: 'room_1', status: 'ended' as const, endReason, endedAt: 1 }],
})

test('a bare study has several things to look at, and problems and drafts are among them', () => {
  const bare = smallestDefinition()
  delete bare.completion
  const usual = ['summary', 'consent', 'codes', 'capacity', 'played']
  expect(open({ definition: bare })).toEqual(usual)
  expect(open({ definition: bare, findings: 3, hasDraft: true })).toEqual(['problems', 'draft', ...usual])
  // What cannot be published is not judged any further.
  expect(open({ definition: undefined })).toEqual(['errors', 'draft'])
})

test('a study is played through when agents have reached the end of this revision', () => {
  expect(open({ pilots: [pilot(1, null)] })).toContain('played')
  expect(open({ pilots: [pilot(2, 'stuck')] })).toContain('played')
  expect(open({ pilots: [pilot(2, null)] })).not.toContain('played')
})

test('groups wait at most for so long', () => {
  const group = { matching: { groupSize: 2 } }
  expect(open({ definition: smallestDefinition(group) })).toContain('matching')
  expect(
    open({ definition: smallestDefinition({ matching: { groupSize: 2, deadlineMs: 60_000 } }) }),
  ).not.toContain('matching')
})

test('a consent component on the first page that asks for anything is consent', () => {
  const state = (id: string, ...types: string[]) => ({
    id,
    components: types.map((type, at) => ({ id: `c${at}`, type, text: 'Text' })),
  })
  const asked = smallestDefinition({ states: [state('hello', 'text'), state('agree', 'consent')] })
  expect(open({ definition: asked })).not.toContain('consent')
  const late = smallestDefinition({ states: [state('first', 'slider'), state('agree', 'consent')] })
  expect(open({ definition: late })).toContain('consent')
})

test('each way to end has a code, or a reason not to', () => {
  const codes = { SUCCESS: 'A', TECHNICAL: 'A', STUDY_CLOSED: 'B' }
  const named = (completion: object) => smallestDefinition({ completion })
  expect(open({ definition: named({ codes }) })).toContain('everyCode')
  const noCode = { ABANDONED: 'Whoever leaves is not paid.' }
  expect(open({ definition: named({ codes, noCode }) })).not.toContain('everyCode')
})

test('[R93] what the page measures is named, and a consent text makes its page tell people', () => {
  const paradata: ParadataKind[] = ['focus', 'paste']
  const itemOf = (more: Partial<ExperimentDefinition>) =>
    launchChecklist({ ...facts, definition: smallestDefinition(more) }).find(
      ({ name }) => name === 'paradata',
    )
  expect(itemOf({ consent: { text: 'Do you agree?' } })).toBeUndefined()
  expect(itemOf({ paradata: [] })).toBeUndefined()
  expect(itemOf({ paradata })).toMatchObject({ state: 'open', tab: 'definition', names: paradata })
  expect(itemOf({ paradata, consent: { text: ' ' } })).toMatchObject({ state: 'open' })
  expect(itemOf({ paradata, consent: { text: 'Do you agree?' } })).toMatchObject({ state: 'done' })
})
