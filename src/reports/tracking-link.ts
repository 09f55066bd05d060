/** A carrier's page for a tracking number. */
export interface TrackingLink {
  carrier: string;
  url: string;
}

/**
 * The carrier's page for a tracking number, if the number alone identifies the carrier; otherwise null. The number comes from
 * the service, so it is encoded and used only in a query. Pure.
 */
export const trackingLink = (number: string): TrackingLink | null => {
  const plain = number.replace(/[\s-]+/g, '').toUpperCase();
  const query = encodeURIComponent(plain);
  if (/^1Z[0-9A-Z]{16}$/.test(plain))
    return { carrier: 'UPS', url: `https://www.ups.com/track?tracknum=${query}` };
  if (/^(?:94|93|92|95)\d{20}$/.test(plain))
    return { carrier: 'USPS', url: `https://tools.usps.com/go/TrackConfirmAction?tLabels=${query}` };
  if (/^\d{12}$|^\d{15}$/.test(plain))
    return { carrier: 'FedEx', url: `https://www.fedex.com/fedextrack/?trknbr=${query}` };
  return null;
};
