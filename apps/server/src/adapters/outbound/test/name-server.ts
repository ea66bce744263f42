import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { onTestFinished } from 'vitest'

const types = { 1: 'A', 28: 'AAAA' } as const

/** A name server on loopback that knows these names; for others, it says that they do not exist. */
export async function startNameServer(names: Record<string, string[]>) {
  const asked: string[] = []
  const server = createSocket('udp4', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    asked.push(`${types[type as keyof typeof types]} ${name}`)
    const known = names[name]
    const answers = (known ?? []).filter((each) => isIPv6(each) === (type === 28))
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(known ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(answers.length, 6)
    const reply = [head, query.subarray(12, end), ...answers.map((each) => recordOf(each, type))]
    server.send(Buffer.concat(reply), port, address)
  })
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { address: `127.0.0.1:${server.address().port}`, asked }
}

/** The first question of a query, and where it ends. */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function recordOf(address: string, type: number): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray())
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0) // The name of the question
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4) // Internet
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}
