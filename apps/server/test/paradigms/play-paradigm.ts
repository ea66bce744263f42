import { simulate, speedUp } from '@atrium/bots'
import {
  type ExperimentDefinition,
  type ExportedRow,
  type ExportTable,
  experimentRoutes,
  studyOf,
  type WrittenDefinition,
} from '@atrium/contract'
import { mediaUsesIn } from '@atrium/contract/components'
import { createApi, createResearcher, linesOf, succeeded, type World } from '@atrium/testkit'
import { pngNumber } from '../../src/modules/media/files/test/samples.ts'
import { formOf, upload } from '../media/upload-media.ts'
import type { StoredResults } from './differences.ts'
import type { PlayedStudy, Recomputation, RecordedDraw } from './recomputation.ts'

const speed = 100

/** Plays a study by bots from its first page to its last, and reads what the export has of it. */
export async function playParadigm(
  world: World,
  definition: WrittenDefinition,
  bots: Pick<Recomputation, 'participants' | 'answers'>,
) {
  const baseUrl = world.front().http
  const researcher = await createResearcher(createApi(baseUrl))
  await uploadPictures(baseUrl, researcher.token, studyOf(definition))
  const experimentId = await researcher.openExperiment(withoutHurry(definition))
  const { findings } = await simulate({
    baseUrl,
    experimentId,
    ...bots,
    seed: definition.name as string,
    speed,
    dropOutChance: 0,
    staggerMs: 10,
    patienceMs: 120_000,
  })
  const read = tableReader(world, researcher.token, experimentId)
  const results: StoredResults = {
    participants: await read('participants'),
    payments: await read('payments'),
  }
  return {
    broken: findings.filter(({ breaches }) => breaches.length > 0),
    results,
    study: await rawOf(read, results),
  }
}

/** Pages that only show something are quick; what people must do in time keeps its time, so that no answer depends on luck. */
function withoutHurry(definition: WrittenDefinition): WrittenDefinition {
  const quick = speedUp(definition, speed)
  const { stages } = definition
  return {
    ...quick,
    ...unhurried(definition, quick),
    ...(stages && {
      stages: stages.map((stage, at) => ({ ...stage, ...unhurried(stage, quick.stages?.[at]) })),
    }),
  }
}

type Part = Pick<WrittenDefinition, 'states' | 'matching' | 'dropout'>

function unhurried({ states, matching, dropout }: Part, quick: Part = {}) {
  return {
    ...(states && {
      states: states.map((state, index) => {
        const end = state.end?.on === 'timed' ? quick.states?.[index]?.end : state.end
        return { ...state, ...quick.states?.[index], ...(end && { end }) }
      }),
    }),
    // A later stage need not wait long for somebody who may not come.
    ...(matching && {
      matching: typeof matching.onDeadline === 'object' ? (quick.matching ?? matching) : matching,
    }),
    // Nobody leaves; a bot that a busy machine connects late is waited for.
    ...(dropout && {
      dropout: { ...dropout, ...(dropout.policy === 'continue' && { policy: 'wait' as const }) },
    }),
  }
}

/** The pictures that a study names are those of its researcher, so here they are the smallest that there can be. */
async function uploadPictures(http: string, token: string, definition: ExperimentDefinition): Promise<void> {
  const names = new Set(mediaUsesIn(definition).flatMap(({ named }) => ('name' in named ? [named.name] : [])))
  if (names.size === 0) return
  const pictures = [...names].map((name, at) => [name, pngNumber(at)] as const)
  const { status } = await upload(http, token, formOf(Object.fromEntries(pictures)))
  if (status !== 200) throw new Error(`the pictures were refused: ${status}`)
}

type Read = <Table extends ExportTable>(table: Table) => Promise<ExportedRow<Table>[]>

export const tableReader = (world: World, token: string, experimentId: string): Read => {
  const api = createApi(world.front().http)
  return async <Table extends ExportTable>(table: Table) => {
    const query = { format: 'jsonl', table }
    const answer = await api.call(experimentRoutes.export, { token, params: { experimentId }, query })
    succeeded(answer)
    return linesOf(answer.text) as ExportedRow<Table>[]
  }
}

async function rawOf(read: Read, { participants, payments }: StoredResults): Promise<PlayedStudy> {
  const pickedOf = new Map(payments.map(({ participantId, pickedRounds }) => [participantId, pickedRounds]))
  const events = await read('events')
  return {
    people: participants.map(({ participantId, roomId, role, alias, condition, outcome }) => {
      const picked = pickedOf.get(participantId)
      const pickedRounds = Array.isArray(picked) ? picked.map(Number) : []
      return { participantId, roomId: roomId ?? '', role, alias, condition, outcome, pickedRounds }
    }),
    responses: await read('responses'),
    trials: await read('trials'),
    states: await read('states'),
    messages: await read('messages'),
    draws: events.flatMap(drawsIn),
  }
}

function drawsIn({ type, data, roomId, participantId, round }: ExportedRow<'events'>): RecordedDraw[] {
  const { scope, changes } = data as { scope?: unknown; changes?: Record<string, unknown>[] }
  if (type !== 'variables_changed') return []
  return (changes ?? [])
    .filter(({ cause }) => cause === 'draw')
    .map(({ variable, value }) => ({
      roomId: roomId ?? '',
      participantId: scope === 'participant' ? participantId : null,
      variable: String(variable),
      value,
      round,
    }))
}
