/** What a totals row begins with, in the languages of headers. */
export const totalsWords: string[] = [
  'total|totals|grand total|subtotal|sub total|sum|Summe|Zwischensumme|Gesamt|Gesamtsumme|Endsumme',
  'somme|sous-total|total général|totale|subtotale|suma|total general|totaal|subtotaal|razem',
  'celkem|итого|合計|小計|合计|小计|합계|소계',
].flatMap((words) => words.split('|'));

/** Items that are charges: what shops and ERP systems add to an order below its goods. */
export const chargeWords: string[] = [
  'discount|coupon|shipping|shipping cost|shipping costs|shipping charge|shipping charges',
  'shipping fee|shipping & handling|shipping and handling|S&H|handling|handling fee|freight',
  'freight charge|freight charges|postage|delivery|delivery charge|delivery fee|surcharge',
  'deposit|bottle deposit|insurance|gift wrap|gift wrapping|restocking fee|core charge',
  'fuel surcharge|tax|taxes|sales tax|VAT|GST|HST|Versand|Versandkosten|Fracht|Frachtkosten|Porto',
  'Rabatt|MwSt|Mehrwertsteuer|USt|frais de port|frais de livraison|livraison|remise|TVA|envío',
  'gastos de envío|descuento|IVA|spedizione|spese di spedizione|sconto|frete|desconto',
  'verzendkosten|korting|BTW',
].flatMap((words) => words.split('|'));
