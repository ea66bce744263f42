import { createHash } from 'node:crypto'
import { TransferRefused } from '../kernel/transfer-errors.ts'
import type { ObjectTarget, StoredObject } from '../ports/transfer.ts'

/** An object, its key and the hash that it must have at its destination. */
export interface ExpectedObject extends StoredObject {
  key: string
  sha256: string
}

/** Stores an object and reads it back. One that is already there stays, if it is the same. */
export async function copyObject(target: ObjectTarget, object: ExpectedObject): Promise<void> {
  const { key } = object
  if (await isThere(target, object)) return
  await target.put(key, object)
  const stored = await target.open(key)
  if (stored?.size !== object.size || (await hashOf(stored)) !== object.sha256)
    throw new Error(`the object ${key} was not stored as it was sent`)
}

/** Throws TransferRefused if the key belongs to another object. */
export async function isThere(target: ObjectTarget, { key, size, sha256 }: ExpectedObject): Promise<boolean> {
  const found = await target.open(key)
  if (!found) return false
  if (found.size === size && (await hashOf(found)) === sha256) return true
  throw new TransferRefused(
    `The object store is not empty: it has another object ${key}, which is never overwritten.`,
  )
}

export async function hashOf(object: StoredObject): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of object.read()) hash.update(chunk)
  return hash.digest('hex')
}
