import { expect, test } from 'vitest'
import { AppError } from '../../kernel/app-error.ts'
import { asRefusal } from './failures.ts'

const failure = (code: string): Error => Object.assign(new Error('it failed'), { code })

test.each([
  ['53100', 'disk_full'],
  ['SQLITE_FULL', 'disk_full'],
  ['ENOSPC', 'disk_full'],
  ['25006', 'read_only'],
  ['SQLITE_READONLY', 'read_only'],
  ['SQLITE_READONLY_DBMOVED', 'read_only'],
  ['EROFS', 'read_only'],
  ['SQLITE_IOERR_WRITE', undefined],
  ['57P01', undefined],
])('[R9] %s means that the store is unavailable, for the reason %s', (code, reason) => {
  const refusal = asRefusal(failure(code)) as AppError
  expect(refusal).toBeInstanceOf(AppError)
  expect([refusal.code, refusal.details.reason]).toEqual(['UNAVAILABLE', reason])
})

test.each(['23505', '25001', 'SQLITE_CONSTRAINT_UNIQUE', ''])(
  '%j is not a matter of availability',
  (code) => {
    const error = failure(code)
    expect(asRefusal(error)).toBe(error)
  },
)
