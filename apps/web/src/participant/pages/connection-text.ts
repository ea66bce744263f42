import type { ConnectionStatus } from '@atrium/client'

interface ConnectionTexts {
  connectionLost: string
  /** The platform is there, but cannot take anything: its database is full, for example. */
  unavailable: string
}

/** What is wrong with the connection; null if nothing is. One that is being made for the first time is not worth a warning. */
export function connectionText(
  connection: ConnectionStatus,
  { connectionLost, unavailable }: ConnectionTexts,
): string | null {
  if (connection.kind === 'connected' || connection.kind === 'connecting') return null
  const isRefused = connection.kind === 'reconnecting' && connection.because === 'UNAVAILABLE'
  return isRefused ? unavailable : connectionLost
}
