/**
 * The carrier's page for a tracking number, where the number alone identifies the carrier; null otherwise. The number comes from
 * the service, so it is encoded and only placed in a query. Pure.
 */
export const trackingLink = (number: string): string | null => {
  const plain = number.replace(/[\s-]+/g, '').toUpperCase();
  if (/^1Z[0-9A-Z]{16}$/.test(plain))
    return `https://www.ups.com/track?tracknum=${encodeURIComponent(plain)}`;
  if (/^(?:94|93|92|95)\d{20}$/.test(plain))
    return `https://tools.usps.com/go/TrackConfirmAction?tLabels=${encodeURIComponent(plain)}`;
  if (/^\d{12}$|^\d{15}$/.test(plain))
    return `https://www.fedex.com/fedextrack/?trknbr=${encodeURIComponent(plain)}`;
  return null;
};
