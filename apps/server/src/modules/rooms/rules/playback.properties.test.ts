import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Playback, positionAt } from '../model/playback.ts'
import type { RoomAction } from '../model/room-action.ts'
import type { RoomState } from '../model/room-state.ts'
import { component } from '../test/played-room.ts'
import { playVideo, screening, waitMs, watching } from '../test/playing-room.ts'
import { reduceRoom } from './reduce-room.ts'

const people = ['p1', 'p2', 'p3']
const positions = [0, 2_500, 2_600, 7_000]
const liking = component('liking', 'sparse_rating', { atMs: positions, roles: ['viewer'] })

const roomOf = (autoplay: boolean, policy: string, isGuided: boolean) =>
  playVideo(
    watching(
      [screening({ durationMs: 12_000, ...(isGuided && { autoplay, controlledBy: 'guide' }) }, liking)],
      {
        roles: ['guide', 'viewer'],
        matching: { groupSize: 3 },
        dropout: { policy, graceMs: 3_000 },
      },
    ),
    { roles: ['guide', 'viewer', 'viewer'] },
  )
type Room = ReturnType<typeof roomOf>

const who = fc.constantFrom(...people)
const someTime = fc.oneof({ weight: 3, arbitrary: fc.nat(900) }, fc.nat(6_000))
/** What people, their players, the network and a researcher do; most of it while the clock is punctual. */
const move: fc.Arbitrary<(room: Room) => unknown> = fc.oneof(
  { weight: 6, arbitrary: someTime.map((ms) => (room: Room) => room.pass(ms)) },
  { weight: 1, arbitrary: someTime.map((ms) => (room: Room) => room.passUnnoticed(ms)) },
  { weight: 5, arbitrary: who.map((id) => (room: Room) => room.ready(id)) },
  { weight: 3, arbitrary: who.map((id) => (room: Room) => room.stall(id)) },
  {
    weight: 3,
    arbitrary: fc.tuple(who, fc.constantFrom(...positions)).map(
      ([id, atMs]) =>
        (room: Room) =>
          room.respond(id, 'liking', { atMs, value: 1 }),
    ),
  },
  { weight: 1, arbitrary: who.map((id) => (room: Room) => room.respond(id, 'film', { ended: true })) },
  {
    weight: 3,
    arbitrary: fc
      .record({
        command: fc.constantFrom('play', 'pause', 'seek'),
        more: fc.record(
          { positionMs: fc.nat(13_000), rate: fc.constantFrom(0.25, 1, 4) },
          { requiredKeys: [] },
        ),
      })
      .map(
        ({ command, more }) =>
          (room: Room) =>
            room.command('p1', command, more),
      ),
  },
  { weight: 1, arbitrary: who.map((id) => (room: Room) => room.report(id)) },
  { weight: 2, arbitrary: who.map((id) => (room: Room) => room.disconnect(id)) },
  { weight: 3, arbitrary: who.map((id) => (room: Room) => room.connect(id)) },
  { weight: 1, arbitrary: fc.constant((room: Room) => room.pause()) },
  { weight: 2, arbitrary: fc.constant((room: Room) => room.resume()) },
  { weight: 1, arbitrary: fc.constant((room: Room) => room.restore()) },
)

const games = fc.record({
  room: fc.tuple(fc.boolean(), fc.constantFrom('wait', 'continue'), fc.boolean()),
  moves: fc.array(move, { maxLength: 60 }),
})

/** Plays a game and returns what happened, with what each action did to the video. */
function playGame({
  room: given,
  moves,
}: {
  room: [boolean, string, boolean]
  moves: ((room: Room) => unknown)[]
}) {
  const room = roomOf(...given)
  for (const each of moves) each(room)
  return room
}

const videoIn = ({ playback }: RoomState): Playback | undefined => playback?.[0]
const mayJump = (action: RoomAction): boolean => action.type === 'playback_command'
/** Times are whole milliseconds, and the video is at most four times as fast. */
const roundingMs = 4

const runs = { numRuns: 300 }

describe('Playback, whatever happens', () => {
  it('[RM102] never goes back in time, and jumps only when it is commanded to', () => {
    fc.assert(
      fc.property(games, (game) => {
        for (const { action, before, after } of playGame(game).steps) {
          const [was, is] = [videoIn(before), videoIn(after)]
          if (!was || !is) continue
          expect(is.atServerTime).toBeGreaterThanOrEqual(was.atServerTime)
          if (mayJump(action)) continue
          const expected = positionAt(was, is.atServerTime)
          expect(Math.abs(is.positionMs - expected)).toBeLessThanOrEqual(roundingMs)
        }
      }),
      runs,
    )
  })

  it('[RM101,RM104] never waits past its limit, nor for nobody', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(games, (game) => {
        for (const { after, at } of playGame(game).steps) {
          const video = videoIn(after)
          if (video) seen.add(video.status)
          if (!video || after.status.kind !== 'running') continue
          const { status, waitUntil, dueAt, heldAtMs, stalled } = video
          if (waitUntil !== null) {
            expect(waitUntil).toBeGreaterThan(at)
            expect(waitUntil).toBeLessThanOrEqual(at + waitMs)
          }
          if (dueAt !== null) expect(dueAt).toBeGreaterThan(at)
          if (status === 'waiting')
            expect(heldAtMs !== null || (stalled.length > 0 && waitUntil !== null)).toBe(true)
          if (status === 'playing') expect(heldAtMs === null && stalled.length === 0).toBe(true)
        }
      }),
      runs,
    )
    // Games in which nothing plays prove nothing.
    expect([...seen]).toEqual(expect.arrayContaining(['preparing', 'playing', 'paused', 'waiting', 'ended']))
  })

  it('[RM1] replays to the same state, and is told and recorded in the same way', () => {
    fc.assert(
      fc.property(games, (game) => {
        const { steps, blueprint } = playGame(game)
        const throughJson = <Thing>(thing: Thing): Thing => JSON.parse(JSON.stringify(thing))
        let room = steps[0]?.before
        for (const { action, at, after, played } of steps) {
          const reduction = room && reduceRoom(throughJson(room), action, at, blueprint)
          if (reduction?.kind !== 'applied') throw new Error('a logged action was not applied again')
          expect(reduction.played).toEqual(played)
          expect(throughJson(reduction.room)).toEqual(throughJson(after))
          room = reduction.room
        }
      }),
      { numRuns: 100 },
    )
  })
})
