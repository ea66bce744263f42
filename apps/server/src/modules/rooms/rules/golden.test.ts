import { describe, expect, it } from 'vitest'
import { compileBlueprint } from '../model/blueprint.ts'
import type { RoomAction } from '../model/room-action.ts'
import { goldenNames, readGolden } from '../test/golden-room.ts'
import { emptyRoom } from './opening.ts'
import { reduceRoom } from './reduce-room.ts'

const names = goldenNames()

describe('[RM1] rooms of earlier versions', () => {
  it.each(names)('%s replays to the state that it had', (name) => {
    const { origin, definition, log, state } = readGolden(name)
    const blueprint = compileBlueprint(definition)
    let room = emptyRoom(origin, blueprint)
    for (const [index, { at, action }] of log.entries()) {
      const reduction = reduceRoom(room, action, at, blueprint)
      if (reduction.kind !== 'applied') throw new Error(`action ${index + 1} of the log is ${reduction.kind}`)
      room = reduction.room
    }
    // Properties added by later versions do not count as differences.
    expect(JSON.parse(JSON.stringify(room))).toMatchObject(state)
  })

  it('include every kind of action, and rooms that ended as well as rooms still running', () => {
    const rooms = names.map(readGolden)
    const seen = new Set(rooms.flatMap(({ log }) => log.map(({ action }) => action.type)))
    const all: Record<RoomAction['type'], true> = {
      opened: true,
      connected: true,
      disconnected: true,
      restored: true,
      tick: true,
      completed: true,
      withdrawn: true,
      assigned: true,
      agent_turn: true,
      submit_response: true,
      send_message: true,
      ready: true,
      cannot_answer: true,
      leave: true,
      playback_command: true,
      playback_buffer: true,
      sync_report: true,
      advance: true,
      pause: true,
      resume: true,
      end: true,
      announce: true,
      remove: true,
      prompt: true,
    }
    expect([...seen].sort()).toEqual(Object.keys(all).sort())
    expect(new Set(rooms.map(({ state }) => state.status.kind))).toContain('ended')
    expect(new Set(rooms.map(({ state }) => state.status.kind))).toContain('running')
  })
})
