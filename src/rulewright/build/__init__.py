"""Building characters and machines: audits with repairs, experience, and the parts of sheets and cards."""
