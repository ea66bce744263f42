import { limits, type ValidationIssue } from '@atrium/contract'
import type { UploadedPart } from '../../ports/blob-store.ts'

/** All parts have the same size, except the last one, which has the rest. */
export const partCountOf = (fileSize: number): number => Math.ceil(fileSize / limits.uploadPartBytes)

export const partSizeOf = (fileSize: number, partNumber: number): number =>
  Math.min(limits.uploadPartBytes, fileSize - (partNumber - 1) * limits.uploadPartBytes)

export interface ClaimedPart {
  partNumber: number
  etag: string
}

/** Clients pass on the header as it is, with quotes, or without. */
export const withoutQuotes = (etag: string): string => etag.replace(/^"(.*)"$/, '$1')

/** Enough to see a pattern. */
const maxIssues = 20

/** V3: why an upload cannot be completed from these parts; empty if it can. */
export function partIssues(
  fileSize: number,
  claimed: readonly ClaimedPart[],
  stored: readonly UploadedPart[],
): ValidationIssue[] {
  const misplaced = claimed.findIndex(({ partNumber }, index) => partNumber !== index + 1)
  if (misplaced >= 0) {
    const message = `must be ${misplaced + 1}: all parts are listed once, in order`
    return [{ path: `/parts/${misplaced}/partNumber`, message }]
  }
  const count = partCountOf(fileSize)
  if (claimed.length !== count)
    return [
      { path: '/parts', message: `must have ${count} parts for ${fileSize} bytes, not ${claimed.length}` },
    ]
  const byNumber = new Map(stored.map((part) => [part.partNumber, part]))
  return claimed
    .flatMap((part, index) => issueOf(part, byNumber.get(part.partNumber), fileSize, `/parts/${index}`))
    .slice(0, maxIssues)
}

function issueOf(
  { partNumber, etag }: ClaimedPart,
  stored: UploadedPart | undefined,
  fileSize: number,
  path: string,
): ValidationIssue[] {
  if (!stored) return [{ path, message: `part ${partNumber} has not been uploaded` }]
  const expected = partSizeOf(fileSize, partNumber)
  if (stored.size !== expected)
    return [{ path, message: `part ${partNumber} has ${stored.size} bytes instead of ${expected}` }]
  if (withoutQuotes(etag) !== stored.etag)
    return [{ path: `${path}/etag`, message: `is not the ETag of part ${partNumber}` }]
  return []
}
