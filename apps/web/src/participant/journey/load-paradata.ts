import type { Participant } from '@atrium/client'
import type { ParadataKind } from '@atrium/contract'
import type { Paradata } from '../paradata/start-paradata.ts'

/** R93: after the consent, once for each participation: whoever continues here after another tab is measured as before. */
export function createParadataLoader(participant: Participant): () => Promise<Paradata | undefined> {
  let running: { participantId: string; paradata: Promise<Paradata | undefined> } | undefined

  async function load(kinds: readonly ParadataKind[]): Promise<Paradata | undefined> {
    try {
      const { startParadata } = await import('../paradata/start-paradata.ts')
      return startParadata(participant, kinds)
    } catch {
      // Something blocks it, or the connection failed just now. Taking part matters more.
      return undefined
    }
  }

  return async () => {
    const { participantId = '', experimentConfig } = participant.session ?? {}
    const kinds = experimentConfig?.paradata ?? []
    if (running?.participantId !== participantId) {
      await running?.paradata.then((paradata) => paradata?.stop())
      running = { participantId, paradata: kinds.length > 0 ? load(kinds) : Promise.resolve(undefined) }
    }
    return await running.paradata
  }
}
