import { sha256Hex } from './canonical-request.ts'
import type { Claim } from './read-credential.ts'
import { isSignature, scopeText, sign } from './signing-key.ts'

/** Signatures of chunks form a chain that begins with the signature of the head. */
export interface ChunkSignatures {
  /** Whether the next chunk, given by the SHA-256 of its bytes, has this signature. */
  isNext(chunkSha256: string, signature: string): boolean
  /** Whether the trailer, given by its SHA-256, has this signature. */
  isTrailer(trailerSha256: string, signature: string): boolean
}

const emptySha256 = sha256Hex('')

export function createChunkSignatures(claim: Claim, key: Buffer): ChunkSignatures {
  let previous = claim.signature
  const scope = scopeText(claim.scope)
  return {
    isNext(chunkSha256, signature) {
      const lines = ['AWS4-HMAC-SHA256-PAYLOAD', claim.timestamp, scope, previous, emptySha256, chunkSha256]
      if (!isSignature(sign(key, lines.join('\n')), signature)) return false
      previous = signature
      return true
    },
    isTrailer(trailerSha256, signature) {
      const lines = ['AWS4-HMAC-SHA256-TRAILER', claim.timestamp, scope, previous, trailerSha256]
      return isSignature(sign(key, lines.join('\n')), signature)
    },
  }
}
