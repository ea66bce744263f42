import { expect } from 'vitest'
import { queryPostgres } from '../../stores/engines.ts'
import type { Played } from './load.ts'

/** I1 to I5 for everything that bots have played, and that each of them has finished. */
export async function expectInvariants(databaseUrl: string, studies: readonly Played[]): Promise<void> {
  // I1 to I4 as the bots saw it: acknowledged is stored once and in order, one code, one room.
  const broken = studies.flatMap(({ findings }) => findings.filter(({ breaches }) => breaches.length > 0))
  if (broken.length > 0) await printLogs(databaseUrl, JSON.stringify(broken))
  expect(broken).toEqual([])
  const endings = studies.flatMap(({ logs }) =>
    logs.map(({ subject, events }) => ({ subject, ended: events.findLast(isCompletion) })),
  )
  expect(endings.filter(({ ended }) => ended?.kind !== 'completed' || ended.outcome !== 'SUCCESS')).toEqual(
    [],
  )
  await expectLogsInOrder(databaseUrl)
  await expectOneEnding(databaseUrl, endings.length)
}

const isCompletion = ({ kind }: { kind: string }): boolean => kind === 'completed' || kind === 'wait_ended'

/** I5: the actions of every room are numbered without gaps, and the epoch never falls. I2: none is stored twice. */
async function expectLogsInOrder(databaseUrl: string): Promise<void> {
  const faults = await queryPostgres(
    databaseUrl,
    `select room_id, seq, epoch, number, epoch_before from (
       select room_id, seq, epoch, row_number() over room as number, lag(epoch) over room as epoch_before
       from room_actions window room as (partition by room_id order by seq)
     ) as logged where seq <> number or epoch < epoch_before`,
  )
  expect(faults).toEqual([])
  const twice = await queryPostgres(
    databaseUrl,
    `select room_id, actor, action_id from room_actions where action_id is not null
     group by room_id, actor, action_id having count(*) > 1`,
  )
  expect(twice).toEqual([])
}

/** I3 and I4 as the database has it: everyone completed one session, and has a seat in one room. */
async function expectOneEnding(databaseUrl: string, people: number): Promise<void> {
  const [row] = await queryPostgres(
    databaseUrl,
    `select count(*) filter (where status = 'completed') as completed, count(distinct participant_id) as people,
       (select count(*) from participants where room_id is not null) as seated
     from sessions`,
  )
  expect({ ...row }).toEqual({ completed: String(people), people: String(people), seated: String(people) })
}

/** Who came and went in the rooms that a breach names. */
async function printLogs(databaseUrl: string, breaches: string): Promise<void> {
  for (const roomId of new Set(breaches.match(/room_[\w-]+/g))) {
    const log = await queryPostgres(
      databaseUrl,
      `select seq, epoch, at, actor, left(action, 60) as action from room_actions
       where room_id = '${roomId}' and action ~ '"type":"(opened|restored|connected|disconnected|tick)"' order by seq`,
    )
    console.error(roomId, log.map((row) => Object.values(row).join(' ')).join('\n'))
  }
}
