import { notifications } from '@mantine/notifications';

/** Says briefly that something was done; what failed is shown where it was tried, and stays. */
export const announce = (sentence: string): void => {
  notifications.show({ message: sentence, color: 'green', autoClose: 6000, withBorder: true });
};
