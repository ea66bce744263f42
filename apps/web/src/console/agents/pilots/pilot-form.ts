import { type Agent, limits, type PilotBody, scriptedProvider } from '@atrium/contract'
import { texts } from '../../../text/console.ts'
import { asSentence, refusedPlaces } from '../../feedback/findings.ts'

/** Who takes the seats of people. */
export const playerChoices = ['definition', 'scripted', 'model'] as const
type PlayerChoice = (typeof playerChoices)[number]

export interface PilotForm {
  /** Numbers as they were typed; an empty one in the budget means no limit. */
  rooms: string | number
  players: PlayerChoice
  credentialId: string
  instructions: string
  turns: string | number
  tokens: string | number
  money: string | number
}

export type PilotProblems = Partial<Record<keyof PilotForm, string>>

export type CheckedPilot = { kind: 'valid'; body: PilotBody } | { kind: 'invalid'; problems: PilotProblems }

export const newPilotForm = (): PilotForm => ({
  rooms: 1,
  players: 'definition',
  credentialId: '',
  instructions: texts().pilots.defaultInstructions,
  turns: '',
  tokens: '',
  money: '',
})

/** What can be found without the server, which knows the rest: how many agents share a budget, and what is priced. */
export function checkPilot(form: PilotForm, own: readonly Agent[]): CheckedPilot {
  const text = texts().pilots
  const rooms = Number(form.rooms)
  const isCount = Number.isInteger(rooms) && rooms >= 1 && rooms <= limits.pilotRooms
  const problems: PilotProblems = {
    ...(!isCount && { rooms: text.wholeNumber(1, limits.pilotRooms) }),
    ...(form.players === 'model' && form.credentialId === '' && { credentialId: text.chooseCredential }),
  }
  if (Object.keys(problems).length > 0) return { kind: 'invalid', problems }
  const agents = playersOf(form, own)
  const budget = budgetOf(form)
  return {
    kind: 'valid',
    body: { rooms, ...(agents && { agents }), ...(Object.keys(budget).length > 0 && { budget }) },
  }
}

/** Quick, because nobody watches; slow enough to keep the order of a conversation. */
const pacing = { thinkMs: 100, thinkSpreadMs: 200, charactersPerSecond: 1_000, lullMs: 2_000 }

function playersOf(form: PilotForm, own: readonly Agent[]): Agent[] | undefined {
  const { scriptedName, modelName } = texts().pilots
  const id = freeId(own)
  switch (form.players) {
    case 'definition':
      return undefined
    case 'scripted':
      return [
        {
          id,
          name: scriptedName,
          provider: scriptedProvider,
          instructions: scriptedName,
          pacing,
          fallback: 'default',
        },
        ...own.map(asScripted),
      ]
    case 'model':
      return [
        {
          id,
          name: modelName,
          credentialId: form.credentialId,
          instructions: form.instructions.trim() || modelName,
          pacing,
          fallback: 'default',
        },
      ]
  }
}

/** The same agent in the same place, with its script if it has one, but without a model. */
const asScripted = ({
  credentialId: _model,
  sampling: _sampling,
  price: _price,
  ...agent
}: Agent): Agent => ({
  ...agent,
  provider: scriptedProvider,
})

/** An agent with the id of one of the study’s would replace that one. */
function freeId(own: readonly Agent[]): string {
  const taken = new Set(own.map(({ id }) => id))
  let id = 'participant'
  for (let number = 2; taken.has(id); number++) id = `participant_${number}`
  return id
}

const budgetNames = ['turns', 'tokens', 'money'] as const

const budgetOf = (form: PilotForm): NonNullable<PilotBody['budget']> =>
  Object.fromEntries(budgetNames.flatMap((name) => (form[name] === '' ? [] : [[name, Number(form[name])]])))

/** What the server found wrong, by field; empty if it is about something else. */
export function problemsIn(error: Error): PilotProblems {
  const fields: [keyof PilotForm, RegExp][] = [
    ['rooms', /^\/rooms/],
    ['credentialId', /^\/agents\/\d+\/credentialId/],
    ['instructions', /^\/agents\/\d+\/instructions/],
    ...budgetNames.map((name): [keyof PilotForm, RegExp] => [name, new RegExp(`^/budget/${name}`)]),
  ]
  const issues = refusedPlaces(error)
  return Object.fromEntries(
    fields.flatMap(([field, place]) => {
      const issue = issues.find(({ path }) => place.test(path))
      return issue ? [[field, asSentence(issue.message)]] : []
    }),
  )
}
