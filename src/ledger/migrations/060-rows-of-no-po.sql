-- beside: 027
-- Files of which rows belong to no PO need a person: they are found without reading the issues of all others.
create index row_issues_of_no_po on row_issues (import_id) where severity = 'issue' and po_number is null;
