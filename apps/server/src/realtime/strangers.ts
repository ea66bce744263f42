import { networkOf } from '@atrium/program'

export interface Stranger {
  readonly address: string
  /** Whether what they have presented is being looked at. */
  isBeingChecked(): boolean
}

/** A school or a lab may come from one address, all at once. More than this at the same moment is no class. */
const mostSilentOfNetwork = 300

const isSilent = (someone: Stranger): boolean => !someone.isBeingChecked()

/** Connections that have presented no session, the oldest first. */
export function createStrangers<Someone extends Stranger>() {
  const everyone = new Set<Someone>()
  const byNetwork = new Map<string, Set<Someone>>()

  /** Of the network that has too many. */
  function oldestOfCrowd(): Someone | undefined {
    for (const neighbours of byNetwork.values()) {
      if (neighbours.size <= mostSilentOfNetwork) continue
      const silent = [...neighbours].filter(isSilent)
      if (silent.length > mostSilentOfNetwork) return silent[0]
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
     * Who makes place for another: who has been silent for longest, as those who mean it present their session at once, and
     * many may do so from one address. Only a flood from one network crowds out itself first.
     */
    mostExpendable(): Someone | undefined {
      const [oldest] = everyone
      return oldestOfCrowd() ?? oldestSilent() ?? oldest
    },
  }
}
