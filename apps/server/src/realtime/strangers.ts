import { networkOf } from '@atrium/program'

export interface Stranger {
  readonly address: string
  /** Whether their session is being checked. */
  isBeingChecked(): boolean
}

/** A school or a lab may connect from one address, all at once. More than this at the same moment is not a class. */
const maxSilentOfNetwork = 300

const isSilent = (someone: Stranger): boolean => !someone.isBeingChecked()

/** Connections without a session, oldest first. */
export function createStrangers<Someone extends Stranger>() {
  const everyone = new Set<Someone>()
  const byNetwork = new Map<string, Set<Someone>>()

  /** From the network that has too many. */
  function oldestOfCrowd(): Someone | undefined {
    for (const neighbours of byNetwork.values()) {
      if (neighbours.size <= maxSilentOfNetwork) continue
      const silent = [...neighbours].filter(isSilent)
      if (silent.length > maxSilentOfNetwork) return silent[0]
    }
    return undefined
  }

  function oldestSilent(): Someone | undefined {
    for (const someone of everyone) if (isSilent(someone)) return someone
    return undefined
  }

  return {
    count: (): number => everyone.size,
    all: (): Someone[] => [...everyone],
    add(someone: Someone): void {
      const network = networkOf(someone.address)
      const neighbours = byNetwork.get(network) ?? new Set()
      byNetwork.set(network, neighbours.add(someone))
      everyone.add(someone)
    },
    delete(someone: Someone): void {
      if (!everyone.delete(someone)) return
      const network = networkOf(someone.address)
      const neighbours = byNetwork.get(network)
      neighbours?.delete(someone)
      if (neighbours?.size === 0) byNetwork.delete(network)
    },
    /**
     * The connection that makes room for another: the longest silent one, since genuine clients present their session
     * at once, and many may share one address. Only a flood from one network crowds out itself first.
     */
    mostExpendable(): Someone | undefined {
      const [oldest] = everyone
      return oldestOfCrowd() ?? oldestSilent() ?? oldest
    },
  }
}
