import { notifications } from '@mantine/notifications'
import { texts } from '../../text/console.ts'

export const notifyDone = (message: string): void =>
  void notifications.show({
    message,
    color: 'teal',
    withBorder: true,
    closeButtonProps: { 'aria-label': texts().feedback.dismiss },
  })

/** Stays until it is dismissed: nobody should miss a failure. */
export const notifyFailed = (title: string, error: unknown): void =>
  void notifications.show({
    title,
    message: error instanceof Error ? error.message : texts().feedback.unexpected,
    color: 'red',
    withBorder: true,
    autoClose: false,
    closeButtonProps: { 'aria-label': texts().feedback.dismiss },
  })
