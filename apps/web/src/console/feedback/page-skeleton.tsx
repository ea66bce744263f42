import { Skeleton, Stack } from '@mantine/core'

export function PageSkeleton() {
  return (
    <Stack role="status" aria-label="Loading">
      <Skeleton height={36} width={260} />
      <Skeleton height={320} />
    </Stack>
  )
}
