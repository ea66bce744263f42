import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { type LookupFunction, connect as openTcp, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as openTls } from 'node:tls'
import type { Schedule } from '../../kernel/clock.ts'
import { addressRefused } from './public-address.ts'

/** Opens a connection; the first line of `net.connect` and `tls.connect`. */
export type OpenSocket = (options: TcpNetConnectOpts, isTls: boolean) => Socket

export const openSocket: OpenSocket = (options, isTls) => (isTls ? openTls(options) : openTcp(options))

export interface ConnectionRules {
  open: OpenSocket
  schedule: Schedule
  /** When hosted. */
  addresses: { lookup: LookupFunction; isAllowed(address: string): boolean } | undefined
}

/** Name, connection and TLS together. Below the shortest time-out of a credential, so that this is what ends first. */
const connectMs = 8_000

/** Below the five seconds after which many servers close idle connections, so that we close first. */
const idleMs = 4_000

/** Agents whose connections all follow the rules; they are kept open for the next turn. */
export function createGuardedAgents(rules: ConnectionRules) {
  const options = { keepAlive: true, timeout: idleMs }
  const http = new HttpAgent(options)
  // Explicit, because an environment variable can switch the check of certificates off for the whole process.
  const https = new HttpsAgent({ ...options, ...(rules.addresses && { rejectUnauthorized: true }) })
  http.createConnection = (target) => openGuarded(target as TcpNetConnectOpts, false, rules)
  https.createConnection = (target) => openGuarded(target as TcpNetConnectOpts, true, rules)
  return {
    for: ({ protocol }: URL) => (protocol === 'https:' ? https : http),
    destroy() {
      http.destroy()
      https.destroy()
    },
  }
}

function openGuarded(target: TcpNetConnectOpts, isTls: boolean, rules: ConnectionRules): Socket {
  const { open, schedule, addresses } = rules
  const socket = open({ ...target, ...(addresses && { lookup: addresses.lookup }) }, isTls)
  const cancelLimit = schedule(connectMs, () => socket.destroy(connectTimeout()))
  socket.once(isTls ? 'secureConnect' : 'connect', cancelLimit)
  socket.once('close', cancelLimit)
  // Literal addresses have had no look-up. First of all listeners, so that not even TLS begins with a wrong machine.
  if (addresses)
    socket.prependOnceListener('connect', () => {
      if (!addresses.isAllowed(socket.remoteAddress ?? '')) socket.destroy(addressRefused())
    })
  return socket
}

const connectTimeout = () => Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })
