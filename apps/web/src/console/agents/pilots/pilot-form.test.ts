import { type Agent, type PilotBody, pilotRoutes } from '@atrium/contract'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { CallFailed } from '../../../api/call.ts'
import { checkPilot, newPilotForm, type PilotForm, problemsIn } from './pilot-form.ts'

const own: Agent[] = [
  { id: 'participant', name: 'Sam', credentialId: 'cred_1', seats: 1, instructions: 'Sell.' },
]
const checked = (changed: Partial<PilotForm>) => checkPilot({ ...newPilotForm(), ...changed }, own)
function bodyOf(changed: Partial<PilotForm>): PilotBody {
  const pilot = checked(changed)
  if (pilot.kind === 'invalid') throw new Error(JSON.stringify(pilot.problems))
  expect(Value.Check(pilotRoutes.create.body, pilot.body)).toBe(true)
  return pilot.body
}

test('by default the study’s own agents play one room, without a limit', () => {
  expect(bodyOf({})).toEqual({ rooms: 1 })
})

test('scripted agents play without any model, the study’s own included', () => {
  const { agents = [] } = bodyOf({ rooms: 3, players: 'scripted' })
  expect(agents.map(({ id, provider, credentialId }) => [id, provider, credentialId])).toEqual([
    ['participant_2', 'Scripted', undefined],
    ['participant', 'Scripted', undefined],
  ])
})

test('a model plays the people, within a budget', () => {
  const body = bodyOf({ players: 'model', credentialId: 'cred_2', turns: 200, money: 1.5 })
  expect(body).toMatchObject({
    agents: [{ id: 'participant_2', credentialId: 'cred_2' }],
    budget: { turns: 200, money: 1.5 },
  })
})

test('what is missing is said at its field, also when the server finds it', () => {
  expect(checked({ rooms: 51 })).toMatchObject({ problems: { rooms: 'A whole number from 1 to 50.' } })
  expect(checked({ players: 'model' })).toMatchObject({
    problems: { credentialId: 'Please choose a model server.' },
  })
  const issues = [{ path: '/budget/turns', message: 'must be at least 12' }]
  expect(problemsIn(new CallFailed('VALIDATION_FAILED', 'x', 400, { issues }))).toEqual({
    turns: 'Must be at least 12.',
  })
})
