import fc from 'fast-check'
import { expect, test } from 'vitest'
import { heirOf } from './take-over.ts'

const podIds = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 })

test('[P] every pod finds the same heir, in whatever order it knows the others', () => {
  fc.assert(
    fc.property(fc.string(), podIds, (roomId, pods) => {
      const heir = heirOf(roomId, pods)
      expect(pods).toContain(heir)
      expect(heirOf(roomId, [...pods].reverse())).toBe(heir)
    }),
  )
})

test('[P] a pod that comes or goes moves only the rooms that are its own', () => {
  fc.assert(
    fc.property(fc.string(), podIds, fc.string({ minLength: 1 }), (roomId, pods, other) => {
      fc.pre(!pods.includes(other))
      expect([heirOf(roomId, pods), other]).toContain(heirOf(roomId, [...pods, other]))
    }),
  )
})

test('[P] the rooms of a dead pod are spread over the others', () => {
  const rooms = Array.from({ length: 300 }, (_, index) => `room_${index}`)
  const counts = Map.groupBy(rooms, (room) => heirOf(room, ['pod-0', 'pod-1', 'pod-2']))
  for (const pod of ['pod-0', 'pod-1', 'pod-2']) expect(counts.get(pod)?.length).toBeGreaterThan(60)
  expect(heirOf('room_1', [])).toBeUndefined()
})
