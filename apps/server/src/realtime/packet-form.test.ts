import { expect, it } from 'vitest'
import { isExpectedPacket } from './packet-form.ts'

it('[R26] only connects, disconnects and events are accepted, in namespaces with short names', () => {
  const name = 'n'.repeat(63)
  for (const packet of [
    '0',
    '0/waiting,{}',
    '1/waiting,',
    '2/experiment,1["ready",{}]',
    '2["x","/a/b"]',
    `0/${name}`,
  ])
    expect(isExpectedPacket(packet), packet).toBe(true)
  for (const packet of [
    ...[undefined, '', Buffer.from('0'), '3/experiment,1[]', '4{}', '51-["a"]', '61-[]', '7', 'x'],
    ...[`0/${name}n`, `2/${name}n,["ready"]`],
  ])
    expect(isExpectedPacket(packet), String(packet)).toBe(false)
})
