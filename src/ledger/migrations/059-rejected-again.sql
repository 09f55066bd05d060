-- beside: 027
-- A PO that a later file rejects needs a person now, also where the one of an earlier file is live. Nobody is asked about those of before.

update purchase_orders p
set reason_code = 'corrected',
  reason_text = coalesce(p.reason_text || ' ', '') || 'The PO of an earlier file stayed as it was, so nobody was asked about this one.'
where p.state = 'rejected' and p.reason_code is distinct from 'corrected' and p.alarm_settled_at is null
  and exists (
    select from purchase_orders l
    where l.account = p.account and l.po_key = p.po_key and l.po_number = p.po_number and l.quote_only = p.quote_only and l.id < p.id
      and l.state not in ('rejected', 'failed', 'cancelled') and l.reason_code is distinct from 'conflicting_po');
