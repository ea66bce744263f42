import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { CallFailed } from '../../api/call.ts'
import { NothingHere } from './nothing-here.tsx'

/** For the platform there is no difference between what does not exist and what is not for this person. */
export const isNotFound = (error: Error | null): boolean =>
  error instanceof CallFailed && error.status === 404

export function NotFound({ what }: { what: 'experiment' | 'room' }) {
  return (
    <NothingHere
      title={`There is no such ${what}`}
      action={
        <Button component={Link} href="/" mt="sm">
          To your experiments
        </Button>
      }
    >
      The address may be mistyped, or the experiment belongs to someone who has not shared it with you.
    </NothingHere>
  )
}
