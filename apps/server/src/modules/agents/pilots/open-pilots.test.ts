import { expect, test } from 'vitest'
import { AppError } from '../../../kernel/app-error.ts'
import type { RoomListener } from '../../rooms/live/room-listeners.ts'
import { createPilotOpener } from './open-pilots.ts'

test('[AP4] pilots take half the places of an instance; a room that cannot be opened holds up no other', async () => {
  const waiting = ['elsewhere', 'broken', ...Array.from({ length: 8 }, (_, number) => `room_${number}`)]
  const held = new Set<string>(['of people'])
  const listeners: RoomListener[] = []
  const errors: unknown[] = []
  let now = 0
  const opener = createPilotOpener({
    store: { waiting: async (limit) => waiting.slice(0, limit) },
    rooms: {
      listen: (listener) => void listeners.push(listener),
      async live(roomId) {
        if (roomId === 'elsewhere') throw new AppError('ROOM_ELSEWHERE')
        if (roomId === 'broken') throw new Error('not today')
        waiting.splice(waiting.indexOf(roomId), 1)
        held.add(roomId)
        return undefined as never
      },
    },
    countRooms: () => held.size,
    maxRooms: 9,
    clock: { now: () => now },
    onBackgroundError: (error) => void errors.push(error),
  })
  const pilots = () => [...held].filter((id) => id.startsWith('room_'))
  await opener.openMore()
  expect(pilots()).toEqual(['room_0', 'room_1', 'room_2'])
  expect(errors).toEqual([new Error('not today')])
  // Full: nothing is asked of the broken room either.
  await opener.openMore()
  expect(errors.length).toBe(1)
  held.delete('room_1')
  for (const { ended } of listeners) ended?.('room_1')
  await opener.openMore()
  expect(pilots()).toEqual(['room_0', 'room_2', 'room_3'])
  // After a while it is tried again.
  now += 60_000
  held.delete('room_0')
  await opener.openMore()
  expect(errors.length).toBe(2)
  expect(pilots()).toEqual(['room_2', 'room_3', 'room_4'])
  await opener.stop()
  held.clear()
  await opener.openMore()
  expect(pilots()).toEqual([])
})
