import { notifications } from '@mantine/notifications'

export const notifyDone = (message: string): void =>
  void notifications.show({
    message,
    color: 'teal',
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  })

/** Stays until it is dismissed: a failure that vanishes unread is one that nobody knows of. */
export const notifyFailed = (title: string, error: unknown): void =>
  void notifications.show({
    title,
    message: error instanceof Error ? error.message : 'Something unexpected happened.',
    color: 'red',
    withBorder: true,
    autoClose: false,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  })
